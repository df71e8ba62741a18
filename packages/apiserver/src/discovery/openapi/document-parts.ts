import type { JsonObject } from 'client-ts/internal';
import type { Model } from '../../schema/model.ts';
import { type ApiPath, TEXT } from './operation.ts';

/** What the documents of both versions say about the API as a whole. */
export function documentInfo({ kubernetes }: Model): JsonObject {
  return { title: 'Kubernetes', version: kubernetes.split('.').slice(0, 2).join('.') };
}

/** The names of all types that paths mention. */
export function typesOf(paths: readonly ApiPath[]): Set<string> {
  const names = new Set<string>();
  for (const { operations } of paths) {
    for (const { body, responses } of Object.values(operations)) {
      if (body !== undefined) names.add(body.type);
      for (const type of Object.values(responses)) names.add(type);
    }
  }
  names.delete(TEXT);
  return names;
}

/** How clients prove who they are. */
export const BEARER_TOKEN: JsonObject = {
  type: 'apiKey',
  description: 'Bearer Token authentication',
  name: 'authorization',
  in: 'header',
};

/** The words for the statuses of answers. */
export const STATUS_TEXT: Readonly<Record<number, string>> = {
  200: 'OK',
  201: 'Created',
  202: 'Accepted',
  401: 'Unauthorized',
};

export function byName<T>([left]: readonly [string, T], [right]: readonly [string, T]): number {
  return left < right ? -1 : Number(left > right);
}
