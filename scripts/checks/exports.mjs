import { toolScript } from '../lib/paths.mjs';
import { runTool } from './tool.mjs';

export const about = 'no dead exports, files or dependencies (knip; tests do not count as users)';

/**
 * Once over everything, tests included, for files and dependencies; and once over what is shipped,
 * so that an export which only its test uses is found.
 * @param {string} root
 */
export async function run(root) {
  const knip = toolScript('knip/bin/knip.js');
  const common = ['--no-progress', '--treat-config-hints-as-errors'];
  return [
    ...(await runTool(root, knip, [...common, '--exclude', 'exports,types'])),
    ...(await runTool(root, knip, [...common, '--production', '--exports'])),
  ];
}
