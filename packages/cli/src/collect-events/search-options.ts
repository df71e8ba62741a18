import { getKey } from 'client-ts/internal';
import { readFile } from 'node:fs/promises';
import type { SearchConnection, SearchCredentials, SearchProduct } from '@client-ts/collector';
import type { CommandContext } from '../frame/context.ts';
import { UsageError } from '../frame/usage-error.ts';

/** The flags for search servers. */
export interface SearchOptions {
  readonly elasticsearch: string | undefined;
  readonly opensearch: string | undefined;
  readonly index: string;
  readonly dataStream: boolean;
  readonly user: string | undefined;
  readonly password: string | undefined;
  readonly apiKey: string | undefined;
  readonly credentialsFile: string | undefined;
  readonly caFile: string | undefined;
  readonly insecure: boolean;
}

/** Returns the connections to the search servers that the flags name. */
export async function searchConnections(
  options: SearchOptions,
  context: Pick<CommandContext, 'env'>,
): Promise<SearchConnection[]> {
  const products: readonly SearchProduct[] = ['elasticsearch', 'opensearch'];
  const connections: SearchConnection[] = [];
  for (const product of products) {
    const url = options[product];
    if (url === undefined) continue;
    checkUrl(product, url);
    connections.push({
      product,
      url,
      credentials: await credentialsFor(product, options, context),
      ca: options.caFile === undefined ? undefined : await readFile(options.caFile, 'utf8'),
      insecure: options.insecure,
    });
  }
  return connections;
}

function checkUrl(product: SearchProduct, url: string): void {
  if (URL.canParse(url) && /^https?:$/.test(new URL(url).protocol)) return;
  throw new UsageError(`--${product} must be a URL such as https://search.example:9200`);
}

/** Precedence: flags, file, environment. */
async function credentialsFor(
  product: SearchProduct,
  { user, password, apiKey, credentialsFile }: SearchOptions,
  { env }: Pick<CommandContext, 'env'>,
): Promise<SearchCredentials | undefined> {
  if (apiKey !== undefined) return { apiKey };
  const prefix = product.toUpperCase();
  const inEnvironment = (name: string): string | undefined => getKey(env, `${prefix}_${name}`);
  if (user !== undefined) {
    return { username: user, password: password ?? inEnvironment('PASSWORD') ?? '' };
  }
  if (credentialsFile !== undefined) {
    return parseCredentials(await readFile(credentialsFile, 'utf8'), credentialsFile);
  }
  const key = inEnvironment('API_KEY');
  if (key !== undefined) return { apiKey: key };
  const username = inEnvironment('USERNAME');
  if (username === undefined) return undefined;
  return { username, password: inEnvironment('PASSWORD') ?? '' };
}

function parseCredentials(text: string, path: string): SearchCredentials {
  const line = text.trim();
  const [, apiKey] = /^ApiKey\s+(\S+)$/i.exec(line) ?? [];
  if (apiKey !== undefined) return { apiKey };
  const colon = line.indexOf(':');
  if (colon === -1 || line.includes('\n')) {
    throw new UsageError(`${path} must have one line: user:password, or ApiKey KEY`);
  }
  return { username: line.slice(0, colon), password: line.slice(colon + 1) };
}
