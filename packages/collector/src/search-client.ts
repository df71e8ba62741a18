import type { Readable } from 'node:stream';
import { CollectorError } from './collector-error.ts';

/** The two search servers, which speak almost the same. */
export type SearchProduct = 'elasticsearch' | 'opensearch';

/** Who we are to a search server. */
export type SearchCredentials =
  | { readonly apiKey: string }
  | { readonly username: string; readonly password: string };

/** How a search server is reached. */
export interface SearchConnection {
  readonly product: SearchProduct;
  readonly url: string;
  readonly credentials?: SearchCredentials | undefined;
  /** The certificates, in PEM, that that of the server must come from. */
  readonly ca?: string | undefined;
  /** Accept any certificate. */
  readonly insecure?: boolean | undefined;
}

/** One request. */
export interface SearchRequest {
  readonly method: 'GET' | 'POST' | 'PUT';
  readonly path: string;
  readonly body?: object;
  /** Lines of a bulk request, each without its end. */
  readonly bulkBody?: string[];
}

/** An answer, also one of failure. */
export interface SearchAnswer {
  readonly status: number;
  readonly body: unknown;
}

/** A search server, through its own official client. */
export interface SearchTransport {
  /** Rejects only if there is no answer at all. */
  request(request: SearchRequest): Promise<SearchAnswer>;
  close(): Promise<void>;
}

/** What both clients have in common. */
interface OfficialClient {
  readonly transport: {
    request(
      request: SearchRequest,
      options: {
        readonly meta: true;
        readonly ignore: readonly number[];
        readonly maxRetries: number;
      },
    ): Promise<{ readonly statusCode: number | null; readonly body: unknown }>;
  };
  close(): Promise<void>;
}

interface OfficialModule {
  readonly Client: new (options: object) => OfficialClient;
}

const packages: Readonly<Record<SearchProduct, string>> = {
  elasticsearch: '@elastic/elasticsearch',
  opensearch: '@opensearch-project/opensearch',
};

/** Every status of failure, so that answers are read and not thrown. */
const failures: readonly number[] = Array.from({ length: 200 }, (_, index) => 400 + index);

/**
 * Connects through the official client of the product, which is loaded now and need not be there before:
 * it is larger than everything else together, and most people do without.
 */
export async function searchTransport(connection: SearchConnection): Promise<SearchTransport> {
  const { Client } = await load(connection.product);
  const client = new Client(clientOptions(connection));
  return {
    request: async (request) => {
      try {
        const options = { meta: true, ignore: failures, maxRetries: 0 } as const;
        const { statusCode, body } = await client.transport.request(request, options);
        return { status: statusCode ?? 0, body: await plain(body) };
      } catch (error) {
        // Not as the cause: it holds the request with its credentials.
        const message = error instanceof Error ? error.message : String(error);
        throw new CollectorError(
          'COLLECTOR_BULK_FAILED',
          `${connection.product} cannot be reached: ${message}`,
        );
      }
    },
    close: () => client.close(),
  };
}

async function load(product: SearchProduct): Promise<OfficialModule> {
  const name = packages[product];
  try {
    return (await import(name)) as OfficialModule;
  } catch (cause) {
    throw new CollectorError(
      'COLLECTOR_CLIENT_MISSING',
      `the client of ${product} is not installed: npm install ${name}`,
      { cause },
    );
  }
}

function clientOptions({ product, url, credentials, ca, insecure }: SearchConnection): object {
  const tls = {
    ...(ca !== undefined && { ca }),
    ...(insecure === true && { rejectUnauthorized: false }),
  };
  if (product === 'elasticsearch') {
    return { node: url, ...(credentials !== undefined && { auth: credentials }), tls };
  }
  if (credentials === undefined) return { node: url, ssl: tls };
  return 'apiKey' in credentials
    ? { node: url, headers: { authorization: `ApiKey ${credentials.apiKey}` }, ssl: tls }
    : { node: url, auth: credentials, ssl: tls };
}

/** Clients parse JSON by themselves; anything else comes as text, and large answers may be streams. */
async function plain(body: unknown): Promise<unknown> {
  if (typeof body !== 'object' || body === null || !(Symbol.asyncIterator in body)) return body;
  const chunks: Buffer[] = [];
  for await (const chunk of body as Readable) chunks.push(Buffer.from(chunk as Uint8Array));
  return Buffer.concat(chunks).toString();
}
