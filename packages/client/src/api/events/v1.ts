// Kubernetes 1.36.4, events.k8s.io/v1. Written by `npm run generate`; do not edit.

import type { ResourceDescriptor, Verb } from '../../meta/resource.ts';
import type { ListMeta, MicroTime, ObjectMeta, Time } from '../../meta/types.ts';
import type { EventSource, ObjectReference } from '../core/v1.ts';

/** `/apis/events.k8s.io/v1/namespaces/{namespace}/events` */
export const events: ResourceDescriptor<Event, 'Namespaced', Verb, never> = {
  group: 'events.k8s.io',
  version: 'v1',
  resource: 'events',
  kind: 'Event',
  singular: 'event',
  scope: 'Namespaced',
  verbs: ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update', 'watch'],
  subresources: [],
  shortNames: ['ev'],
  categories: [],
};

export interface Event {
  action?: string;
  apiVersion?: 'events.k8s.io/v1';
  deprecatedCount?: number;
  deprecatedFirstTimestamp?: Time;
  deprecatedLastTimestamp?: Time;
  deprecatedSource?: EventSource;
  eventTime: MicroTime;
  kind?: 'Event';
  metadata?: ObjectMeta;
  note?: string;
  reason?: string;
  regarding?: ObjectReference;
  related?: ObjectReference;
  reportingController?: string;
  reportingInstance?: string;
  series?: EventSeries;
  type?: string;
}

export interface EventList {
  apiVersion?: 'events.k8s.io/v1';
  items: Event[];
  kind?: 'EventList';
  metadata?: ListMeta;
}

export interface EventSeries {
  count: number;
  lastObservedTime: MicroTime;
}
