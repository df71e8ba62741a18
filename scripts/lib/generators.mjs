/** What `npm run generate` runs, from the root of the repository. Each knows `--check`. */
export const generators = [
  'packages/codegen/dist/main.js',
  'packages/cli/dist/reference-command.js',
  'scripts/initial-objects.mjs',
  'scripts/module-tables.mjs',
  'scripts/wasm-modules.mjs',
  'scripts/api-reference.mjs',
];
