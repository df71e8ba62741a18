/**
 * @typedef {object} Command
 * @property {string} about one line for the list of commands
 * @property {string} [script] what to run on the newer Node, from the root of the repository
 * @property {readonly string[]} [args] put in front of the arguments given
 * @property {boolean} [build] false if the command does not need the packages built
 */

/**
 * What `npm run …` can do. package.json has one line for each, because that is where people look.
 * @type {Readonly<Record<string, Command>>}
 */
export const commands = {
  start: {
    about: 'show a simulated cluster at work; -- --kubeconfig FILE shows yours',
    script: 'packages/cli/dist/main.js',
    args: ['demo'],
  },
  test: { about: 'run the tests; -- <part of a path> runs some', script: 'scripts/test.mjs' },
  check: { about: 'every check but the tests; -- <name> runs one', script: 'scripts/check.mjs' },
  build: { about: 'compile all packages' },
  format: {
    about: 'format all files in place',
    script: 'node_modules/oxfmt/bin/oxfmt',
    build: false,
  },
  generate: { about: 'write the generated code and pages', script: 'scripts/generate.mjs' },
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
  soak: {
    about: 'run informers through every fault; -- --minutes N, --seed N',
    script: 'packages/conformance/dist/soak-command.js',
  },
  chaos: {
    about: 'kill and restart the example operator at random; -- --minutes N --kubeconfig FILE',
    script: 'examples/operator/chaos/main.ts',
  },
  fuzz: {
    about: 'feed parsers and HTTP surfaces with hostile input; -- <target> --minutes N --seed N',
    script: 'packages/conformance/dist/fuzz-command.js',
  },
  mutate: {
    about: 'change the code and see whether a test notices; -- <module>',
    script: 'scripts/mutate.mjs',
  },
  'collector-chaos': {
    about: 'kill, starve and damage the event collector at random; -- --minutes N, --seed N',
    script: 'packages/collector/dist/chaos-command.js',
  },
  bench: { about: 'measure; -- <name> picks a bench', script: 'bench/main.mjs' },
};
