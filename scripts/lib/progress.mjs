/** Work shorter than this leaves no trace on the screen. */
const QUIET_MS = 400;

/**
 * Shows a line while `work` is running: with the elapsed seconds in a terminal, once at the start
 * and once at the end elsewhere.
 * @template T
 * @param {string} label
 * @param {() => Promise<T>} work
 * @returns {Promise<T>}
 */
export async function withProgress(label, work) {
  const { stderr } = process;
  const started = performance.now();
  const seconds = () => ((performance.now() - started) / 1000).toFixed(1);
  let shown = false;
  const draw = () => {
    if (stderr.isTTY) stderr.write(`\r${label} … ${seconds()} s`);
    else if (!shown) stderr.write(`${label} …\n`);
    shown = true;
  };
  let ticker = setTimeout(function tick() {
    draw();
    ticker = setTimeout(tick, 200);
  }, QUIET_MS);
  try {
    const result = await work();
    if (shown) stderr.write(`${stderr.isTTY ? '\r' : ''}${label}: done in ${seconds()} s\n`);
    return result;
  } catch (error) {
    if (shown) stderr.write(`${stderr.isTTY ? '\r' : ''}${label}: failed after ${seconds()} s\n`);
    throw error;
  } finally {
    clearTimeout(ticker);
  }
}
