#!/bin/bash
# One experiment on eight nodes: a job array, each task one part.
#
#   mkdir -p logs && sbatch configs/cluster/slurm-array.sh configs/table1.yaml
#
# then, once all tasks have ended:
#
#   skillbench merge out/parts/* --out out/table1
#
# A task that was cut off (time limit, preemption, a lost node) is sent again
# with the same command; it goes on in its folder and repeats no call that was
# recorded. `sbatch --array=3 …` would change the number of parts, so send single
# parts again with PARTS=8 sbatch --array=3 …
#
#SBATCH --job-name=skillbench
#SBATCH --array=0-7
#SBATCH --cpus-per-task=2
#SBATCH --mem=2G
#SBATCH --time=12:00:00
#SBATCH --requeue
#SBATCH --output=logs/%A_%a.log
set -euo pipefail

experiment=${1:?want an experiment file, such as configs/table1.yaml}
part=${SLURM_ARRAY_TASK_ID:?this is for sbatch: it wants a job array}
parts=${PARTS:-$SLURM_ARRAY_TASK_COUNT}

# Further words go to the program, such as --model mymodel.yaml. The key stays
# in the environment variable that the model file names.
exec skillbench run "$experiment" "${@:2}" \
	--shard "$part/$parts" \
	--out "out/parts/$part" \
	--workers "${SLURM_CPUS_PER_TASK:-1}" \
	--progress plain
