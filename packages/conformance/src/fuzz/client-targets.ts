import { createServer, type Server } from 'node:net';
import { once } from 'node:events';
import * as module from 'node:module';
import { Clientset, type Config } from 'client-ts';
import { createTransport } from 'client-ts/transport';
import { generateFromCrds } from '@client-ts/codegen';
import * as fc from 'fast-check';
import { type FuzzTarget, fuzzTarget, pure, typedOnly, typedOnlyAsync } from './fuzz-target.ts';
import { anyJson, anyText, damaged, recordOf } from './inputs.ts';

const answerPart = fc.oneof(
  fc.constantFrom(
    'HTTP/1.1 200 OK\r\n',
    'HTTP/1.1 404 Not Found\r\n',
    'HTTP/1.1 429 Too Many Requests\r\n',
    'HTTP/1.1 101 Switching Protocols\r\n',
    'HTTP/1.1 302 Found\r\nlocation: /\r\n',
    'content-type: application/json\r\n',
    'content-length: 10\r\n',
    'content-encoding: gzip\r\n',
    'transfer-encoding: chunked\r\n',
    'retry-after: abc\r\n',
    'warning: 299 - "a"\r\n',
    '__proto__: x\r\n',
    'constructor: x\r\n',
    'connection: close\r\n',
    '\r\n',
    '{"kind":"Pod","apiVersion":"v1","metadata":{"name":"a"}}',
    '{"kind":"Status","apiVersion":"v1","code":"x","details":1}',
    '5\r\n{"a":\r\n',
    '0\r\n\r\n',
    '<html>',
  ),
  anyText,
);

const schema = fc.record(
  {
    type: fc.oneof(fc.constantFrom('object', 'string', 'array'), anyText),
    properties: recordOf(anyJson),
    items: anyJson,
    enum: fc.array(anyJson, { maxLength: 3 }),
    description: anyText,
    pattern: anyText,
    default: anyJson,
  },
  { requiredKeys: [] },
);
const crd = fc
  .record({
    group: fc.oneof(fc.constant('example.com'), anyText),
    plural: fc.oneof(fc.constant('widgets'), anyText),
    kind: fc.oneof(fc.constant('Widget'), anyText),
    version: fc.oneof(fc.constant('v1'), anyText),
    schema,
  })
  .map(({ group, plural, kind, version, schema: openAPIV3Schema }) =>
    JSON.stringify({
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'CustomResourceDefinition',
      metadata: { name: `${plural}.${group}` },
      spec: {
        group,
        names: { plural, kind },
        scope: 'Namespaced',
        versions: [{ name: version, served: true, storage: true, schema: { openAPIV3Schema } }],
      },
    }),
  );

/** Input of clients: responses of a server that sends anything, and resource definitions. */
export const clientTargets: readonly FuzzTarget[] = [
  fuzzTarget({
    name: 'client-http1',
    about: 'a request to a server that sends anything gets a response, or fails with a typed error',
    input: fc.array(answerPart, { maxLength: 12 }).map((parts) => parts.join('')),
    open: openHostileServer,
  }),
  fuzzTarget({
    name: 'codegen',
    about: 'resource definitions become modules that parse, or fail with a typed error',
    input: damaged(crd),
    open: pure((text: string) => {
      const modules = typedOnly(() => generateFromCrds([{ name: 'crd.json', text }]));
      if (modules instanceof Map) for (const code of modules.values()) stripTypes(code);
    }),
  }),
];

/** Throws for text that is not TypeScript. The types are those of a Node without this function. */
const stripTypes = Reflect.get(module, 'stripTypeScriptTypes') as (code: string) => string;

async function openHostileServer(): Promise<
  AsyncDisposable & { check(text: string): Promise<void> }
> {
  let answer = Buffer.alloc(0);
  const server: Server = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.once('data', () => socket.end(answer));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { readonly port: number };
  const config: Config = { server: `http://127.0.0.1:${port}`, logger: quiet, timeoutMs: 5000 };
  return {
    check: async (text) => {
      answer = Buffer.from(text, 'latin1');
      await using transport = createTransport({ ...config, maxRetries: 0 });
      await using client = new Clientset(config, { transport });
      await typedOnlyAsync(() => client.coreV1.pods('default').get('a'));
    },
    [Symbol.asyncDispose]: async () => {
      server.close();
      await once(server, 'close');
    },
  };
}

const ignore = (): void => undefined;
const quiet = { debug: ignore, info: ignore, warn: ignore, error: ignore };
