# Names for go commands. Nothing but Go is needed.
.PHONY: build reproduce test race bench soak check
GO ?= go
STATICCHECK = honnef.co/go/tools/cmd/staticcheck@v0.8.2

build:
	$(GO) build -o bin/skillbench ./cmd/skillbench
reproduce: build
	bin/skillbench run configs/table1.yaml
test:
	$(GO) test -timeout 30m ./...
race: # where goroutines meet; agents and tasks serve one episode each, metrics start none
	$(GO) test -race -short -timeout 30m ./harness ./harness/tokens ./harness/model/...
	$(GO) test -race -timeout 30m -run 'Interrupt|ThroughTheServer|Transient|AtOnce' ./cmd/skillbench
bench:
	$(GO) test -run '^$$' -bench . -benchmem ./...
soak:
	SKILLBENCH_KILLS=150 $(GO) test -run TestKilled -timeout 1h ./cmd/skillbench
check:
	test -z "$$(gofmt -l .)"
	$(GO) vet ./...
	$(GO) run $(STATICCHECK) ./...
	$(GO) mod tidy -diff
