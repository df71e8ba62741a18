#!/usr/bin/env node
import { processContext } from './frame/process-context.ts';
import { run } from './run.ts';

process.exitCode = await run(process.argv.slice(2), processContext());
