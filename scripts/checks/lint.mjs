import { toolScript } from '../lib/paths.mjs';
import { runTool } from './tool.mjs';

export const about =
  'oxlint, type-aware, no warnings: promises, exhaustive switches, time and chance';

/** @param {string} root */
export function run(root) {
  return runTool(root, toolScript('oxlint/bin/oxlint'), ['--type-aware', '--deny-warnings']);
}
