import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { type Environment, getKey, OptionError } from 'client-ts/internal';
import type { OtlpConnection } from './otlp-client.ts';
import type { OtlpAttributes } from './otlp-logs.ts';

/** What the environment says about the sink. */
export interface OtlpEnvironment {
  readonly connection: OtlpConnection;
  readonly resource: OtlpAttributes;
}

/** Options of {@link otlpEnvironment}. */
export interface OtlpEnvironmentOptions {
  /** The URL of the logs, instead of the endpoint of the environment. */
  readonly url?: string | undefined;
  /** Names of files are relative to it. Default: the working directory. */
  readonly directory?: string | undefined;
}

/**
 * Reads the environment variables of OpenTelemetry: `OTEL_EXPORTER_OTLP_LOGS_…` before
 * `OTEL_EXPORTER_OTLP_…` for `ENDPOINT`, `HEADERS`, `COMPRESSION`, `TIMEOUT` (milliseconds),
 * `CERTIFICATE`, `CLIENT_CERTIFICATE`, `CLIENT_KEY` and `PROTOCOL`; `OTEL_RESOURCE_ATTRIBUTES` and
 * `OTEL_SERVICE_NAME`. Throws an `OptionError` that names a
 * variable with an invalid value, without the value of a header.
 */
export async function otlpEnvironment(
  env: Environment,
  { url, directory = '.' }: OtlpEnvironmentOptions = {},
): Promise<OtlpEnvironment> {
  const read = (name: string): { readonly name: string; readonly text: string } | undefined => {
    for (const full of [`OTEL_EXPORTER_OTLP_LOGS_${name}`, `OTEL_EXPORTER_OTLP_${name}`]) {
      const text = getKey(env, full);
      // An empty value means the same as none.
      if (text !== undefined && text.trim() !== '') return { name: full, text: text.trim() };
    }
    return undefined;
  };
  const file = async (name: string): Promise<string | undefined> => {
    const found = read(name);
    return found && (await readFile(resolve(directory, found.text), 'utf8'));
  };
  const protocol = read('PROTOCOL');
  if (protocol !== undefined && !protocol.text.startsWith('http/')) {
    throw new OptionError(
      protocol.name,
      `"${protocol.text}" is not supported, only OTLP over HTTP`,
    );
  }
  return {
    connection: {
      url: url ?? endpointOf(env),
      headers: pairsOf(read('HEADERS')),
      compression: compressionOf(read('COMPRESSION')),
      timeoutMs: timeoutOf(read('TIMEOUT')),
      ca: await file('CERTIFICATE'),
      cert: await file('CLIENT_CERTIFICATE'),
      key: await file('CLIENT_KEY'),
    },
    resource: resourceOf(env),
  };
}

interface Variable {
  readonly name: string;
  readonly text: string;
}

/** The endpoint of a signal is used as it is; the general one is a base. */
function endpointOf(env: Environment): string {
  const own = getKey(env, 'OTEL_EXPORTER_OTLP_LOGS_ENDPOINT') ?? '';
  if (own !== '') return own;
  const base = getKey(env, 'OTEL_EXPORTER_OTLP_ENDPOINT') ?? '';
  return `${(base === '' ? 'http://localhost:4318' : base).replace(/\/+$/, '')}/v1/logs`;
}

function compressionOf(variable: Variable | undefined): 'gzip' | 'none' | undefined {
  if (variable === undefined) return undefined;
  const { name, text } = variable;
  if (text === 'gzip' || text === 'none') return text;
  throw new OptionError(name, `"${text}" is not gzip or none`);
}

function timeoutOf(variable: Variable | undefined): number | undefined {
  if (variable === undefined) return undefined;
  const { name, text } = variable;
  if (/^\d+$/.test(text) && Number(text) > 0) return Number(text);
  throw new OptionError(name, `"${text}" is not a number of milliseconds above 0`);
}

/** The format of W3C baggage: `key=value,key=value`, with percent-encoded values. */
function pairsOf(variable: Variable | undefined): Record<string, string> {
  if (variable === undefined) return {};
  const { name, text } = variable;
  const pairs = text.split(',').filter((pair) => pair.trim() !== '');
  return Object.fromEntries(
    pairs.map((pair, index) => {
      const [key = '', ...value] = pair.split('=');
      try {
        if (key.trim() === '' || value.length === 0) throw new Error('no key, or no value');
        return [key.trim(), decodeURIComponent(value.join('=').trim())];
      } catch {
        // Values of headers are often secrets.
        throw new OptionError(name, `pair ${index + 1} is not key=value`);
      }
    }),
  );
}

function resourceOf(env: Environment): OtlpAttributes {
  const name = 'OTEL_RESOURCE_ATTRIBUTES';
  const given = pairsOf({ name, text: getKey(env, name) ?? '' });
  const service = getKey(env, 'OTEL_SERVICE_NAME') ?? '';
  return { ...given, ...(service !== '' && { 'service.name': service }) };
}
