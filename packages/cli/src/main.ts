#!/usr/bin/env node
import { homedir } from 'node:os';
import { text } from 'node:stream/consumers';

import { run } from './run.ts';

const interrupt = new AbortController();
process.once('SIGINT', () => interrupt.abort());

process.exitCode = await run(process.argv.slice(2), {
  out: (line) => console.log(line),
  err: (line) => console.error(line),
  readInput: () => text(process.stdin),
  env: process.env,
  homeDirectory: homedir(),
  signal: interrupt.signal,
});
