import { spawn } from 'node:child_process';
import { constants } from 'node:os';

import { root } from './paths.mjs';

/** A process is not notified when its parent dies; it has to look. */
const ORPHAN_CHECK_MS = 250;

/**
 * @typedef {object} Finished
 * @property {number} code 0 for success; 128 + n if signal n ended it
 * @property {string} output stdout and stderr as they came; empty if they were inherited
 */

/**
 * Runs a program to its end and collects what it prints.
 * @param {string} file
 * @param {readonly string[]} args
 * @param {{ cwd?: string, env?: NodeJS.ProcessEnv, lock?: import('./setup-lock.mjs').SetupLock, timeoutMs?: number }} [options]
 * @returns {Promise<Finished>} rejects only if the program cannot be started
 */
export function capture(file, args, options = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(file, args, {
      cwd: options.cwd ?? root,
      env: options.env ?? process.env,
      timeout: options.timeoutMs,
      // A program that outlives us goes on holding the lock.
      stdio: ['ignore', 'pipe', 'pipe', options.lock?.fd ?? 'ignore'],
      shell: file.endsWith('.cmd'),
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream?.setEncoding('utf8');
      stream?.on('data', (text) => (output += text));
    }
    child.on('error', reject);
    child.on('close', (code, signal) => resolve({ code: exitCode(code, signal), output }));
  });
}

/**
 * Runs a program in our place: it has the terminal, gets the signals, and its exit code is ours.
 *
 * Ctrl-C in a terminal reaches the whole foreground group, the child included; passing it on would
 * make it arrive twice, which servers take for "stop immediately". So an interrupt is passed on only
 * when there is no terminal, and all other signals always.
 *
 * npm passes SIGTERM on to the shell that it started us with, and not to us. So the child is also
 * stopped when that shell is gone.
 * @param {string} file
 * @param {readonly string[]} args
 * @param {NodeJS.ProcessEnv} env
 * @returns {Promise<number>}
 */
export function handOver(file, args, env) {
  return new Promise((resolve, reject) => {
    const child = spawn(file, args, { cwd: process.cwd(), env, stdio: 'inherit' });
    /** @type {NodeJS.Signals[]} */
    const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'];
    /** @param {NodeJS.Signals} signal */
    const forward = (signal) => {
      if (signal !== 'SIGINT' || !process.stdin.isTTY) child.kill(signal);
    };
    for (const signal of signals) process.on(signal, forward);
    const shell = process.ppid;
    const orphaned = setInterval(() => {
      if (env['npm_lifecycle_event'] === undefined || process.ppid === shell) return;
      clearInterval(orphaned);
      child.kill('SIGTERM');
    }, ORPHAN_CHECK_MS);
    child.on('error', (error) => {
      clearInterval(orphaned);
      reject(error);
    });
    child.on('exit', (code, signal) => {
      clearInterval(orphaned);
      for (const name of signals) process.off(name, forward);
      resolve(exitCode(code, signal));
    });
  });
}

/** @param {number | null} code @param {NodeJS.Signals | null} signal */
function exitCode(code, signal) {
  return signal === null ? (code ?? 1) : 128 + constants.signals[signal];
}
