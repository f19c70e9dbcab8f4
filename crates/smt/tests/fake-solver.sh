#!/bin/sh
# A solver for tests: it answers every check with `sat` but those of its own test, and misbehaves on command.
if [ "$1" = --version ]; then
    echo "Z3 version 0.0.1 - fake"
    exit 0
fi
while read -r line; do
    case "$line" in
    '(echo "'*) mark=${line#'(echo "'} && echo "${mark%'")'}" ;;
    '(assert (< rely-test 1))') answer=unsat ;;
    '(check-sat)') echo "${answer:-sat}" ;;
    '(get-info :pid)') echo "(:pid $$)" ;;
    '(assert die)') echo "last words" >&2 && exit 3 ;;
    '(assert error-and-die)') echo '(error "too hard")' && exit 1 ;;
    '(assert out-of-memory)') echo '(error "out of memory")' >&2 && exit 101 ;;
    '(assert hang)') exec sleep 60 ;;
    '(assert garbage)') echo "%&/ segmentation ))) fault" ;;
    '(assert unbalanced)') echo "((((" ;;
    '(assert flood)') yes nonsense ;;
    '(assert stray-unsat)') echo unsat ;;
    esac
done
