import type { Readable } from 'node:stream';
import { CollectorError } from './collector-error.ts';

/** The supported search servers. */
export type SearchProduct = 'elasticsearch' | 'opensearch';

/** Credentials for a search server. */
export type SearchCredentials =
  | { readonly apiKey: string }
  | { readonly username: string; readonly password: string };

/** The connection to a search server. */
export interface SearchConnection {
  readonly product: SearchProduct;
  readonly url: string;
  readonly credentials?: SearchCredentials | undefined;
  /** The CA certificates of the server, PEM. */
  readonly ca?: string | undefined;
  /** Do not verify the certificate of the server. */
  readonly insecure?: boolean | undefined;
}

/** A request to a search server. */
export interface SearchRequest {
  readonly method: 'GET' | 'POST' | 'PUT';
  readonly path: string;
  readonly body?: object;
  /** The lines of a bulk request, without line ends. */
  readonly bulkBody?: string[];
}

/** A response with any status. */
export interface SearchAnswer {
  readonly status: number;
  readonly body: unknown;
}

/** A search server, accessed through its official client. */
export interface SearchTransport {
  /** Rejects only if there is no response. */
  request(request: SearchRequest): Promise<SearchAnswer>;
  close(): Promise<void>;
}

/** The API that both official clients share. */
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

/** All error statuses, so that responses are returned instead of thrown. */
const failures: readonly number[] = Array.from({ length: 200 }, (_, index) => 400 + index);

/**
 * Connects through the official client of the product, an optional peer dependency that is loaded
 * now. Rejects with `COLLECTOR_CLIENT_MISSING` if it is not installed.
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
        // Not as `cause`: it contains the request with its credentials.
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
      `the ${product} client is not installed: run "npm install ${name}"`,
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

/** The clients parse JSON; other responses are strings, and large ones may be streams. */
async function plain(body: unknown): Promise<unknown> {
  if (typeof body !== 'object' || body === null || !(Symbol.asyncIterator in body)) return body;
  const chunks: Buffer[] = [];
  for await (const chunk of body as Readable) chunks.push(Buffer.from(chunk as Uint8Array));
  return Buffer.concat(chunks).toString();
}
