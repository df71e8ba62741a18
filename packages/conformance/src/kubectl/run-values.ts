import { isJsonObject, type JsonValue, getKey } from 'client-ts/internal';
import { textAt, valueAt } from '../json/pointer.ts';
import { isBase64 } from '../recordings/format.ts';
import type { RecordedCommandRequest } from './recorded-commands.ts';

/**
 * Replaces what kubectl learnt from recorded responses by the values of this run: versions,
 * continue tokens and the hashes of OpenAPI documents.
 */
export class RunValues {
  readonly #versions = new Map<string, string>();
  readonly #tokens = new Map<string, string>();
  #index: JsonValue = null;

  /** Records a response. */
  note(path: string, text: string): void {
    if (!text.startsWith('{')) return;
    const body = JSON.parse(text) as JsonValue;
    const resource = withoutQuery(path);
    if (resource === '/openapi/v3') this.#index = body;
    const version = textAt(body, '/metadata/resourceVersion');
    const token = textAt(body, '/metadata/continue');
    if (version !== '') this.#versions.set(resource, version);
    if (token !== '') this.#tokens.set(resource, token);
  }

  /** Returns the path to request in this run. */
  inPath(recorded: string): string {
    const resource = withoutQuery(recorded);
    const replaced: Record<string, string> = {
      resourceVersion: this.#versions.get(resource) ?? '0',
      continue: encodeURIComponent(this.#tokens.get(resource) ?? ''),
      hash: this.#hashOf(resource),
    };
    return recorded.replaceAll(
      /([?&])(resourceVersion|continue|hash)=([^&]+)/g,
      (whole, start: string, key: string, value: string) =>
        value === '0' ? whole : `${start}${key}=${getKey(replaced, key)}`,
    );
  }

  /** Returns the body to send in this run. */
  inBody({ path, body }: RecordedCommandRequest): Uint8Array | undefined {
    if (body === undefined) return undefined;
    if (isBase64(body)) return Buffer.from(body.base64, 'base64');
    if (typeof body === 'string') return Buffer.from(body);
    return Buffer.from(JSON.stringify(this.#withVersion(body, withoutQuery(path))));
  }

  #withVersion(body: JsonValue, resource: string): JsonValue {
    const version = this.#versions.get(resource) ?? '';
    if (Array.isArray(body)) {
      // `apply --server-side` migrates ownership with a JSON patch that pins what it has read.
      return body.map((operation) =>
        textAt(operation, '/path') === '/metadata/resourceVersion' && isJsonObject(operation)
          ? { ...operation, value: version }
          : operation,
      );
    }
    if (!isJsonObject(body) || !isJsonObject(body['metadata'])) return body;
    if (body['metadata']['resourceVersion'] === undefined) return body;
    return { ...body, metadata: { ...body['metadata'], resourceVersion: version } };
  }

  #hashOf(resource: string): string {
    const paths = valueAt(this.#index, '/paths');
    const document = resource.replace('/openapi/v3/', '');
    const entry = isJsonObject(paths) ? getKey(paths, document) : undefined;
    return /hash=([^&]+)/.exec(textAt(entry, '/serverRelativeURL'))?.[1] ?? '';
  }
}

function withoutQuery(path: string): string {
  return path.split('?')[0] ?? '';
}
