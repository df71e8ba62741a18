import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import type { TestContext } from 'node:test';

type Attribute = {
  readonly key: string;
  readonly value: { readonly stringValue?: string; readonly intValue?: number | string };
};

interface ExportedSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly kind: number;
  readonly attributes: readonly Attribute[];
  readonly events: readonly { readonly name: string; readonly attributes: readonly Attribute[] }[];
  readonly links: readonly { readonly traceId: string; readonly spanId: string }[];
  readonly status: { readonly code: number; readonly message?: string };
}

interface ExportRequest {
  readonly resourceSpans: readonly {
    readonly scopeSpans: readonly { readonly spans: readonly ExportedSpan[] }[];
  }[];
}

/** A span as it arrived at a receiver. */
export interface ReceivedSpan extends Omit<ExportedSpan, 'attributes'> {
  readonly attributes: Readonly<Record<string, number | string | undefined>>;
}

/** For tests: a receiver of traces over OTLP/HTTP, as an OpenTelemetry collector is one. */
export class OtlpTraces {
  readonly url: string;
  readonly spans: ReceivedSpan[] = [];
  /** The bodies of all requests. */
  text = '';

  private constructor(url: string) {
    this.url = url;
  }

  static async start(t: Pick<TestContext, 'after'>): Promise<OtlpTraces> {
    const server = createServer((request, response) => {
      void json(request).then((body) => {
        self.text += JSON.stringify(body);
        self.spans.push(...spansOf(body as ExportRequest));
        response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    t.after(() => server.close().closeAllConnections());
    const { port } = server.address() as AddressInfo;
    const self = new OtlpTraces(`http://127.0.0.1:${port}/v1/traces`);
    return self;
  }

  /** The spans whose name begins like this. */
  named(start: string): ReceivedSpan[] {
    return this.spans.filter(({ name }) => name.startsWith(start));
  }
}

function spansOf({ resourceSpans }: ExportRequest): ReceivedSpan[] {
  return resourceSpans
    .flatMap(({ scopeSpans }) => scopeSpans)
    .flatMap(({ spans }) => spans)
    .map((span) => ({ ...span, attributes: attributesOf(span.attributes) }));
}

function attributesOf(attributes: readonly Attribute[]): ReceivedSpan['attributes'] {
  return Object.fromEntries(
    attributes.map(({ key, value }) => [key, value.stringValue ?? Number(value.intValue)]),
  );
}
