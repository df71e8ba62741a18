/**
 * `npm run upstream`: Kubernetes' own tests against the embedded server, and against a genuine one for
 * comparison. Not part of CI: it needs a source tree of Kubernetes and a built `e2e.test`.
 */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';

import { embeddedForSpecs, embeddedForTestCmd } from './upstream/embedded.mjs';
import { runE2e } from './upstream/e2e.mjs';
import { formatTable, summarize } from './upstream/table.mjs';
import { runTestCmd } from './upstream/test-cmd.mjs';

const USAGE = `npm run upstream -- --source DIR [--e2e FILE] [--kubectl FILE] [options]

Runs the functions of Kubernetes' test/cmd and the api-machinery specs of its end-to-end tests against the
embedded server, and prints one line for each that does not pass.

  --source DIR       a source tree of Kubernetes
  --e2e FILE         e2e.test of the same version; without it, the specs are left out
  --kubectl FILE     kubectl of the same version; without it, the functions of test/cmd are left out
  --controller-manager FILE
                     kube-controller-manager of the same version, to run on the embedded server of test/cmd;
                     without it, controllers are simulated
  --genuine FILE     a kubeconfig for a genuine server to compare with; for test/cmd it must listen on
                     127.0.0.1 and accept the token "admin-token" for a member of system:masters
  --focus PATTERN    only specs and functions whose names match
  --jobs N           groups of specs that run at the same time (default 4)
  --out FILE         write the table as Markdown
  --logs DIR         keep the logs here (default: a directory that is deleted)

Build e2e.test in the source tree with: go test -c ./test/e2e`;

const TOKEN = 'admin-token';

/**
 * @param {string} file
 * @returns {import('./upstream/types.d.ts').Target}
 */
function genuine(file) {
  const kubeconfig = resolve(file);
  const [, server = ''] =
    /server: *["']?(https?:[^\s"',}]+)/.exec(readFileSync(kubeconfig, 'utf8')) ?? [];
  const { port } = new URL(server);
  return { name: 'genuine', kubeconfig, port: Number(port), close: async () => undefined };
}

/**
 * @typedef {object} Options
 * @property {string} source
 * @property {string | undefined} e2e
 * @property {string | undefined} kubectl
 * @property {string | undefined} controllerManager
 * @property {RegExp} focus
 * @property {number} jobs
 * @property {string} directory
 *
 * @typedef {import('./upstream/types.d.ts').Target} Target
 *
 * Runs everything against one sort of server. Returns outcomes by name.
 * @param {{ forSpecs: Target, forTestCmd: Target }} targets
 * @param {Options} options
 */
async function measure({ forSpecs, forTestCmd }, options) {
  const { source, e2e, kubectl, focus, jobs, directory } = options;
  /** @type {Map<string, import('./upstream/types.d.ts').Outcome>} */
  const results = new Map();
  /** @type {import('./upstream/types.d.ts').Run['done']} */
  const done = (name, outcome) => {
    results.set(name, outcome);
    if (outcome !== 'pass') console.error(`${forSpecs.name}: ${outcome}: ${name}`);
  };
  const common = { source, focus, directory, done };
  await Promise.all([
    kubectl === undefined
      ? undefined
      : runTestCmd({ ...common, target: forTestCmd, kubectl, token: TOKEN }),
    e2e === undefined ? undefined : runE2e({ ...common, target: forSpecs, e2e, kubectl, jobs }),
  ]);
  return results;
}

async function main() {
  const { values } = parseArgs({
    options: {
      source: { type: 'string' },
      e2e: { type: 'string' },
      kubectl: { type: 'string' },
      'controller-manager': { type: 'string' },
      genuine: { type: 'string' },
      focus: { type: 'string' },
      jobs: { type: 'string', default: '4' },
      out: { type: 'string' },
      logs: { type: 'string' },
      help: { type: 'boolean' },
    },
  });
  if (values.help === true || values.source === undefined) {
    console.log(USAGE);
    return values.help === true ? 0 : 2;
  }
  const directory = values.logs ?? mkdtempSync(join(tmpdir(), 'client-ts-upstream-'));
  mkdirSync(directory, { recursive: true });
  /** @param {string | undefined} file */
  const path = (file) => (file === undefined ? undefined : resolve(file));
  const options = {
    source: resolve(values.source),
    e2e: path(values.e2e),
    kubectl: path(values.kubectl),
    controllerManager: path(values['controller-manager']),
    focus: new RegExp(values.focus ?? '', 'u'),
    jobs: Number(values.jobs),
    directory: resolve(directory),
  };
  const ours = {
    forSpecs: await embeddedForSpecs(TOKEN, options.directory),
    forTestCmd: await embeddedForTestCmd({ ...options, token: TOKEN }),
  };
  const theirs = values.genuine === undefined ? undefined : genuine(values.genuine);
  try {
    const [here, there] = await Promise.all([
      measure(ours, options),
      theirs === undefined ? undefined : measure({ forSpecs: theirs, forTestCmd: theirs }, options),
    ]);
    const table = formatTable(here, there);
    if (values.out !== undefined) writeFileSync(values.out, table);
    console.log(table);
    console.log(summarize(here, there));
  } finally {
    await ours.forTestCmd.close();
    await ours.forSpecs.close();
    if (values.logs === undefined) rmSync(directory, { recursive: true, force: true });
  }
  return 0;
}

process.exitCode = await main();
