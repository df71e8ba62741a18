// An open page in a process of its own: reads the stream of an inspector, whose origin is the argument.
import { get } from 'node:http';

process.on('disconnect', () => process.exit());
get(`${process.argv[2]}/api/stream`, (response) => {
  if (response.statusCode !== 200) throw new Error(`status ${response.statusCode}`);
  response.once('data', () => process.send?.('open'));
  response.on('end', () => process.exit());
  response.resume();
});
