/**
 * Runs commands in a pod: one with output and an exit code, one that reads from a stream.
 *
 *   npx node examples/exec.ts [--kubeconfig FILE] [--pod NAME]
 */
import { Readable } from 'node:stream';
import { Clientset } from 'client-ts';

import { connect } from './lib/connect.ts';

await using cluster = await connect({ pod: { type: 'string', default: 'web-0' } });
await using client = new Clientset(cluster.config);
const pods = client.coreV1.pods(client.namespace);
const pod = String(cluster.flags['pod']);

// An exit code other than 0 is a result. A command that cannot be started is an error.
const session = await pods.exec(pod, ['sh', '-c', 'hostname; ls /nowhere; exit 3']);
const { exitCode, stdout, stderr } = await session.output();
console.log(`stdout: ${stdout.trim()}`);
console.log(`stderr: ${stderr.trim()}`);
console.log(`exit code ${exitCode}`);

// The command sees the end of its input, and the input waits for the command.
const lines = Readable.from(['one\n', 'two\n', 'three\n']);
const upload = await pods.exec(pod, ['sh', '-c', 'cat > /tmp/numbers'], { stdin: lines });
await upload.exited;

// `stdout` and `stderr` are Node streams.
await using download = await pods.exec(pod, ['cat', '/tmp/numbers']);
download.stdout.setEncoding('utf8');
for await (const text of download.stdout) console.log(String(text).trimEnd());
