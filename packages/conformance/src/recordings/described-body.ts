import { isJsonObject, type JsonValue } from 'client-ts/internal';

/**
 * Generates bodies that were too large to record and are described in words instead. An unknown
 * description is an error, so that a new recording cannot silently be replayed wrongly.
 */
export function describedBody(body: JsonValue, tokenOf: (exchange: string) => string): JsonValue {
  if (typeof body !== 'string') return mapStrings(body, (text) => describedText(text, tokenOf));
  for (const [pattern, make] of wholeBodies) {
    const match = pattern.exec(body);
    if (match !== null) return make(match);
  }
  throw new Error(`no rule makes the described body ${JSON.stringify(body)}`);
}

function describedText(text: string, tokenOf: (exchange: string) => string): string {
  const repeated = /^'(.+)' repeated (\d+) times$/.exec(text);
  if (repeated !== null) return (repeated[1] ?? '').repeat(Number(repeated[2]));
  const token = /^<the token of exchange (.+)>$/.exec(text);
  return token === null ? text : tokenOf(token[1] ?? '');
}

const configMap = (extra: Record<string, JsonValue>): JsonValue => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: 'bad' },
  ...extra,
});

type BodyMaker = (match: RegExpExecArray) => JsonValue;

const wholeBodies: readonly (readonly [RegExp, BodyMaker])[] = [
  [
    /^(\d+) times (\{.*\}) in an array$/,
    ([, count, item = '']) =>
      Array.from({ length: Number(count) }, () => JSON.parse(item) as JsonValue),
  ],
  [
    /^ConfigMap with (\d+) times 'x' in data.big$/,
    ([, count]) => configMap({ data: { big: 'x'.repeat(Number(count)) } }),
  ],
  [
    /^Pod with (\d+) times 'x' in spec.containers\[0\].args\[0\]$/,
    ([, count]) => ({
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: 'bad' },
      spec: {
        containers: [
          {
            name: 'main',
            image: 'registry.example.com/app:1',
            args: ['x'.repeat(Number(count))],
          },
        ],
      },
    }),
  ],
  [
    /^\{data: \{big: (\d+) times 'x'\}\}$/,
    ([, count]) => ({ data: { big: 'x'.repeat(Number(count)) } }),
  ],
  [
    // As text: serializing 20,000 nested arrays would overflow the stack here.
    /^ConfigMap with (\d+) nested arrays in x$/,
    ([, count]) =>
      `{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"bad"},"x":` +
      `${'['.repeat(Number(count))}${']'.repeat(Number(count))}}`,
  ],
];

function mapStrings(value: JsonValue, change: (text: string) => string): JsonValue {
  if (typeof value === 'string') return change(value);
  if (Array.isArray(value)) return value.map((item) => mapStrings(item, change));
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, mapStrings(item ?? null, change)]),
  );
}
