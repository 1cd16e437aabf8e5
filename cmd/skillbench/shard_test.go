package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"gopkg.in/yaml.v3"
)

// TestEightParts runs eight parts as processes and puts them together: the
// bytes of one run.
func TestEightParts(t *testing.T) {
	t.Parallel()
	want, dir := embedded(t), t.TempDir()
	var parts []string
	var running []*exec.Cmd
	for i := range 8 {
		parts = append(parts, filepath.Join(dir, fmt.Sprint(i)))
		c := command(t, small("--shard", fmt.Sprintf("%d/8", i), "--out", parts[i])...)
		c.Stderr = new(bytes.Buffer)
		if err := c.Start(); err != nil {
			t.Fatal(err)
		}
		running = append(running, c)
	}
	for _, c := range running {
		if err := c.Wait(); err != nil {
			t.Fatalf("%q: %v\n%s", c.Args, err, c.Stderr)
		}
	}
	out := filepath.Join(dir, "all")
	said := program(t, exitDone, append([]string{"merge", "--out", out}, parts...)...).out.String()
	if !strings.HasPrefix(said, "16 of 16 cells have a result") {
		t.Error(said)
	}
	for _, name := range []string{"cells.csv", "report.md", "report.html", "tables/scores.csv"} {
		if fileText(t, filepath.Join(out, name)) != fileText(t, filepath.Join(want, name)) {
			t.Errorf("%s differs from that of one run", name)
		}
	}
	program(t, exitDone, "verify", out)
}

// TestClusterFiles holds the manifests for clusters to what can be said offline.
func TestClusterFiles(t *testing.T) {
	t.Parallel()
	var job struct {
		APIVersion string `yaml:"apiVersion"`
		Kind       string
		Metadata   struct{ Name string }
		Spec       struct {
			CompletionMode           string `yaml:"completionMode"`
			Completions, Parallelism int
			BackoffLimitPerIndex     int `yaml:"backoffLimitPerIndex"`
			MaxFailedIndexes         int `yaml:"maxFailedIndexes"`
			Template                 struct {
				Spec struct {
					RestartPolicy string `yaml:"restartPolicy"`
					Containers    []struct {
						Name, Image  string
						Args         []string
						VolumeMounts []struct{ Name string } `yaml:"volumeMounts"`
					}
					Volumes []struct{ Name string }
				}
			}
		}
	}
	d := yaml.NewDecoder(strings.NewReader(read(t, "configs/cluster/k8s-indexed-job.yaml")))
	if err := d.Decode(&job); err != nil {
		t.Fatal(err)
	}
	s := job.Spec
	if job.APIVersion != "batch/v1" || job.Kind != "Job" || job.Metadata.Name == "" || s.CompletionMode != "Indexed" || s.Completions < 2 || s.Parallelism < 1 || s.Template.Spec.RestartPolicy != "Never" || len(s.Template.Spec.Containers) != 1 {
		t.Errorf("%+v", job)
	}
	if s.BackoffLimitPerIndex > 0 && s.Template.Spec.RestartPolicy != "Never" {
		t.Error("backoffLimitPerIndex wants restartPolicy Never")
	}
	args := s.Template.Spec.Containers[0].Args
	for _, want := range []string{"run", fmt.Sprintf("--shard=$(JOB_COMPLETION_INDEX)/%d", s.Completions), "--out=/runs/table1/$(JOB_COMPLETION_INDEX)"} {
		if !strings.Contains(" "+strings.Join(args, " ")+" ", " "+want+" ") {
			t.Errorf("args %q: want %s", args, want)
		}
	}
	volumes := map[string]bool{}
	for _, v := range s.Template.Spec.Volumes {
		volumes[v.Name] = true
	}
	for _, m := range s.Template.Spec.Containers[0].VolumeMounts {
		if !volumes[m.Name] {
			t.Errorf("no volume %s", m.Name)
		}
	}
	// The program takes the arguments, with a place of the index and the files.
	dir := t.TempDir()
	for i, a := range args {
		a = strings.NewReplacer("$(JOB_COMPLETION_INDEX)", "3", "/files/experiment.yaml", "../../configs/table1.yaml", "/files/model.yaml", "sim:perfect", "/runs", dir).Replace(a)
		args[i] = a
	}
	program(t, exitDone, append(args, "--limit", "4", "--steps", "1")...)

	script, err := filepath.Abs(filepath.Join(root, "configs/cluster/slurm-array.sh"))
	if err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command("bash", "-n", script).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	path, err := binary()
	if err != nil {
		t.Fatal(err)
	}
	experiment, err := filepath.Abs(filepath.Join(root, "configs/table1.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	task := exec.Command("bash", script, experiment, "--limit", "8", "--steps", "1")
	task.Dir = dir
	task.Env = append(os.Environ(), "PATH="+filepath.Dir(path)+":"+os.Getenv("PATH"), "SLURM_ARRAY_TASK_ID=5", "SLURM_ARRAY_TASK_COUNT=8")
	if out := exits(t, exitDone, task); !strings.Contains(out, "out/parts/5/report.md") {
		t.Error(out)
	}
	if !strings.Contains(fileText(t, filepath.Join(dir, "out/parts/5/manifest.json")), `"index": 5`) {
		t.Error("the manifest does not say which part it is")
	}
}
