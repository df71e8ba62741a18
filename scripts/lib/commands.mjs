/**
 * @typedef {object} Command
 * @property {string} about one line for the list of commands
 * @property {string} [script] the program to run on the newer Node, relative to the repository
 * @property {readonly string[]} [args] put before the arguments of the call
 * @property {boolean} [build] false if the command does not need the packages built
 * @property {string} [usage] for commands without a `--help` of their own
 */

/**
 * The npm scripts. package.json has one line for each, because that is where people look.
 * @type {Readonly<Record<string, Command>>}
 */
export const commands = {
  start: {
    about: 'run the demo: a simulated cluster; -- --kubeconfig FILE watches yours',
    script: 'packages/cli/dist/main.js',
    args: ['demo'],
  },
  test: { about: 'run the tests; -- <part of a path> runs some', script: 'scripts/test.mjs' },
  check: {
    about: 'run every check but the tests; -- <name> runs one',
    script: 'scripts/check.mjs',
  },
  build: {
    about: 'compile all packages',
    usage: `npm run build

Installs the dependencies if they are missing or outdated, and compiles the packages that changed.
Takes no options.`,
  },
  format: {
    about: 'format all files in place',
    script: 'node_modules/oxfmt/bin/oxfmt',
    build: false,
    usage: `npm run format [-- options] [path…]

Formats all files of the repository in place, or those at the given paths (oxfmt).

  --check   change nothing; fail if a file is not formatted`,
  },
  generate: { about: 'write generated code and documents', script: 'scripts/generate.mjs' },
  apiserver: {
    about: 'start the embedded API server; -- --help shows its options',
    script: 'packages/cli/dist/main.js',
    args: ['serve'],
  },
  recordings: {
    about: 'replay the recorded exchanges against the embedded server',
    script: 'packages/conformance/dist/recordings-command.js',
  },
  conformance: {
    about: 'run the conformance suite; -- --kubeconfig FILE picks another server',
    script: 'packages/conformance/dist/conformance-command.js',
  },
  kubectl: {
    about: 'run a real kubectl against the embedded server',
    script: 'packages/conformance/dist/kubectl-command.js',
  },
  documents: {
    about: 'compare discovery and OpenAPI with a source tree of Kubernetes; -- --help',
    script: 'packages/conformance/dist/documents-command.js',
  },
  upstream: {
    about: "run Kubernetes' own tests against the embedded server; -- --help",
    script: 'scripts/upstream.mjs',
  },
  soak: {
    about: 'run informers under random faults; -- --minutes N, --seed N',
    script: 'packages/conformance/dist/soak-command.js',
  },
  chaos: {
    about:
      'kill and restart the example operator at random; -- --sharded --minutes N --kubeconfig FILE',
    script: 'examples/operator/chaos/main.ts',
  },
  crash: {
    about: 'kill a server with a data directory during writes; -- --kills N, --seed N, --sabotage',
    script: 'packages/conformance/dist/crash-command.js',
  },
  explore: {
    about: 'simulate controllers on many seeds; -- --seeds N, --world NAME, --seed SEED',
    script: 'examples/simulation/explore.ts',
  },
  fuzz: {
    about: 'fuzz parsers and HTTP surfaces; -- <target> --minutes N --seed N',
    script: 'packages/conformance/dist/fuzz-command.js',
  },
  mutate: {
    about: 'mutation-test a module; -- <module>',
    script: 'scripts/mutate.mjs',
  },
  'collector-chaos': {
    about: 'kill, starve and corrupt the event collector at random; -- --minutes N, --seed N',
    script: 'packages/collector/dist/chaos-command.js',
  },
  bench: { about: 'run a benchmark; -- <name>', script: 'bench/main.mjs' },
};
