#!/usr/bin/env node
import { constants } from 'node:os';

import { runCommand } from './server/run-command.ts';

const stop = new AbortController();

// The first signal stops the server cleanly, a second one exits immediately.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(signal, () => {
    if (stop.signal.aborted) process.exit(128 + constants.signals[signal]);
    stop.abort();
  });
}

process.exitCode = await runCommand(process.argv.slice(2), {
  out: (line) => console.log(line),
  err: (line) => console.error(line),
  signal: stop.signal,
  workingDirectory: process.cwd(),
});
