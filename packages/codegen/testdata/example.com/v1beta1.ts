// Custom resources of example.com/v1beta1. Written by `client-ts generate`; do not edit.

import type {
  Base64,
  IntOrString,
  ListMeta,
  ObjectMeta,
  Quantity,
  ResourceDescriptor,
  Verb,
} from 'client-ts/meta';

/**
 * `/apis/example.com/v1beta1/namespaces/{namespace}/widgets`
 *
 * @deprecated example.com/v1beta1 Widget goes away; use v1
 */
export const widgets: ResourceDescriptor<Widget, 'Namespaced', Verb, never> = {
  group: 'example.com',
  version: 'v1beta1',
  resource: 'widgets',
  kind: 'Widget',
  singular: 'widget',
  scope: 'Namespaced',
  verbs: ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update', 'watch'],
  subresources: [],
  shortNames: ['wd'],
  categories: ['all'],
};

export interface Widget {
  apiVersion?: 'example.com/v1beta1';
  kind?: 'Widget';
  metadata?: ObjectMeta;
  /**
   * What is wanted.
   *
   * @rule size must be above replicas
   */
  spec?: WidgetSpec;
}

export interface WidgetList {
  apiVersion?: 'example.com/v1beta1';
  kind?: 'WidgetList';
  metadata?: ListMeta;
  items: Widget[];
}

export interface WidgetSpec {
  anything?: unknown;
  data?: Base64;
  /** @default true */
  enabled?: boolean;
  free?: Record<string, unknown>;
  labels?: Record<string, string>;
  level?: 1 | 2 | 3 | null;
  matrix?: number[][];
  memory?: Quantity;
  mode: 'fast' | 'slow' | "it's complicated";
  /** @uniqueItems */
  modes?: (
    | 'amber'
    | 'azure'
    | 'beige'
    | 'black'
    | 'bronze'
    | 'crimson'
    | 'emerald'
    | 'golden'
    | 'indigo'
  )[];
  nothing?: Record<string, never>;
  open?: Record<string, unknown>;
  partly?: WidgetSpecPartly;
  pools?: Record<string, WidgetSpecPools>;
  port?: IntOrString;
  /**
   * Where it listens.
   *
   * @maxItems 8
   * @uniqueItems by name, protocol
   */
  ports?: WidgetSpecPorts[];
  /**
   * How many.
   *
   * @default 1
   * @minimum 0
   */
  replicas?: number;
  /**
   * @minimum 0 (exclusive)
   * @multipleOf 0.5
   */
  size: number;
  template?: WidgetSpecTemplate;
  /**
   * @minLength 1
   * @maxLength 63
   * @pattern ^[a-z]+(/[a-z]+)*$
   */
  title?: string;
  /** @format date-time */
  until?: string | null;
}

export interface WidgetSpecPartly {
  known?: boolean;
  [key: string]: unknown;
}

export interface WidgetSpecPools {
  weights?: Record<string, number>;
}

/** One place. */
export interface WidgetSpecPorts {
  name: string;
  'node-port'?: number;
  protocol: string;
}

export interface WidgetSpecTemplate {
  apiVersion: string;
  kind: string;
  metadata?: ObjectMeta;
  [key: string]: unknown;
}
