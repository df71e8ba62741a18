import type { ProtobufField, ProtobufMessages } from '../model.ts';

const MESSAGE = /^message (\w+) \{\n([^]*?)^\}/gm;
const MAP = /^\s*map<([\w.]+),\s*([\w.]+)>\s+(\w+) = (\d+);/;
const FIELD = /^\s*(optional|repeated) ([\w.]+) (\w+) = (\d+)/;
const SCALARS = new Set(['bool', 'bytes', 'double', 'float', 'int32', 'int64', 'string']);

/** Reads the field numbers from the text of a `generated.proto`. */
export function readProtobufMessages(text: string): ProtobufMessages {
  const [, path = ''] = /^package ([\w.]+);$/m.exec(text) ?? [];
  const messages = [...text.matchAll(MESSAGE)].map(([, name = '', body = '']) => [
    `${path}.${name}`,
    Object.fromEntries(body.split('\n').flatMap((line) => fieldIn(line, path))),
  ]);
  return Object.fromEntries(messages) as ProtobufMessages;
}

function fieldIn(line: string, path: string): [name: string, field: ProtobufField][] {
  const full = (type: string): string => {
    if (SCALARS.has(type)) return type;
    return type.includes('.') ? type.replace(/^\./, '') : `${path}.${type}`;
  };
  const [, key, value = '', mapName = '', mapNumber] = MAP.exec(line) ?? [];
  if (key !== undefined)
    return [[mapName, { n: Number(mapNumber), map: [full(key), full(value)] }]];
  const [, label, type = '', name = '', number] = FIELD.exec(line) ?? [];
  if (label === undefined) return [];
  const repeated = label === 'repeated' && { repeated: true };
  return [[name, { n: Number(number), t: full(type), ...repeated }]];
}
