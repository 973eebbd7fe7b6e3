#!/bin/sh
# Makes everything that Python makes for this project, in order. From the repository's root, in a Python environment
# with lab/reference/requirements.txt:
#
#     lab/reference/run.sh WORK_DIR [MINUTES_OF_TRAINING]
#
# With `fixtures` in place of WORK_DIR only (d) runs: on the model that is in the repository. That step gives the same
# bytes every time on one machine.
set -eu
here=lab/reference
work=${1:?a folder for the text and the checkpoints, or the word fixtures}
minutes=${2:-60}
if [ "$work" != fixtures ]; then
    python $here/write_text.py "$work/text"                                       # (a) the text
    python $here/vocabulary.py "$work/text"                                       #     and its tokenizer
    python $here/train.py "$work/text" "$work/model" --minutes "$minutes"         # (b) train
    python $here/to_gguf.py "$work/text" "$work/model" src/ground/embedded/tiny-qwen3.gguf  # (c) convert
    python $here/other_shapes.py "$work/text" .                                   #     and two other shapes
    python $here/loss_curve.py "$work/model/history.json" book/src/figures/loss.svg
fi
python $here/text_fixtures.py .                                                   # (d) the fixtures
python $here/other_families.py .                                                 #     models of other families
python $here/turns.py .
python $here/judge.py .
python $here/judge.py . --rounded
python $here/judge.py . --f16
python $here/long_context.py .
python $here/evaluate.py src/ground/embedded/tiny-qwen3.gguf                                #     and what the model can do
