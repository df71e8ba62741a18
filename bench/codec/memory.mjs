// node --expose-gc memory.mjs READER USE COUNT: live bytes for each object that is kept.
import { reader } from './readers.mjs';

const [name, use, count] = process.argv.slice(2);
const TOUCH = {
  nothing: () => undefined,
  'metadata.name': (pod) => pod.metadata.name,
  'spec.nodeName': (pod) => pod.spec.nodeName,
  everything: (pod) => JSON.stringify(pod),
};

const live = () => {
  globalThis.gc();
  globalThis.gc();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
};

const read = reader(name);
const kept = Array.from({ length: Number(count) });
for (let index = 0; index < 500; index += 1) TOUCH[use](read(index));
const before = live();
for (let index = 0; index < kept.length; index += 1) {
  kept[index] = read(index);
  TOUCH[use](kept[index]);
}
const after = live();
console.log((after - before) / kept.length);
