"""Workers of the tests that are forked from one process, which has loaded and collected all of them once.

pytest-xdist lets each worker load and collect by itself. `controller` makes it begin its workers as `door`s to
`origin`, a process that has collected and forks itself for each; there `worker` goes on where a worker of pytest-xdist
would have collected.
"""
