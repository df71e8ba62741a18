import { readFileSync } from 'node:fs';

import type { Schema } from './schema.ts';

/** An endpoint below an object, as the model has it: a kind of the same group-version is short. */
export interface ModelSubresource {
  readonly subresource: string;
  readonly kind: { readonly group?: string; readonly version?: string; readonly kind: string };
  readonly verbs: readonly string[];
}

export interface ModelResource {
  readonly resource: string;
  readonly kind: string;
  readonly namespaced: boolean;
  readonly singular: string;
  readonly verbs: readonly string[];
  readonly shortNames?: readonly string[];
  readonly categories?: readonly string[];
  readonly subresources?: readonly ModelSubresource[];
}

export interface ModelGroupVersion {
  readonly group: string;
  readonly version: string;
  readonly resources: readonly ModelResource[];
}

/** The built-in Kubernetes API as data: what discovery and OpenAPI of a real server say. */
export interface ApiModel {
  readonly kubernetes: string;
  readonly groupVersions: readonly ModelGroupVersion[];
  readonly schemas: Readonly<Record<string, Schema>>;
}

/** Reads one of the data files in `packages/codegen/model`. */
export function readModel(name: string): unknown {
  return JSON.parse(readFileSync(new URL(`../model/${name}`, import.meta.url), 'utf8'));
}

/** The API model of the Kubernetes release that the client is generated for. */
export function loadApiModel(): ApiModel {
  return readModel('apimodel-v1.36.json') as ApiModel;
}

/** `io.k8s.api.apps.v1.Deployment` → package path and name of the type. */
export function splitSchemaId(id: string): { readonly path: string; readonly name: string } {
  const dot = id.lastIndexOf('.');
  return { path: id.slice(0, dot), name: id.slice(dot + 1) };
}
