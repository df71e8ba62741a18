import { toolScript } from '../lib/paths.mjs';
import { runTool } from './tool.mjs';

export const about =
  'the types of scripts/ and examples/ hold (the packages are compiled by the build)';

/** @param {string} root */
export async function run(root) {
  const compiler = toolScript('typescript/bin/tsc');
  return [
    ...(await runTool(root, compiler, ['-p', 'scripts/tsconfig.json'])),
    ...(await runTool(root, compiler, ['-p', 'examples/tsconfig.json'])),
  ];
}
