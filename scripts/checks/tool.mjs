import { capture } from '../lib/run.mjs';

/**
 * Runs a tool that says by its exit code whether all is well; what it printed is the finding.
 * @param {string} cwd
 * @param {string} script a Node script
 * @param {readonly string[]} args
 * @returns {Promise<readonly string[]>}
 */
export async function runTool(cwd, script, args) {
  const { code, output } = await capture(process.execPath, [script, ...args], { cwd });
  return code === 0 ? [] : [`exit code ${code}\n${output.trim()}`];
}
