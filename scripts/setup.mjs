/**
 * The first thing every npm script runs: makes a fresh clone ready (install, build), then starts
 * the command on the newer Node that comes in as a dependency. A second run finds everything in
 * place and starts immediately, also without a network.
 *
 * Nothing is imported statically, and the syntax is old on purpose: a Node that is too old must get
 * as far as the message that says so.
 */
const FLOOR = { major: 20, minor: 19 };

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (major < FLOOR.major || (major === FLOOR.major && minor < FLOOR.minor)) {
  console.error(
    `client-ts needs Node ${FLOOR.major}.${FLOOR.minor} or newer; this is Node ${process.versions.node} (${process.execPath}).`,
  );
  process.exit(1);
}

const { main } = await import('./lib/launch.mjs');
process.exitCode = await main(process.argv[2] ?? '', process.argv.slice(3));
