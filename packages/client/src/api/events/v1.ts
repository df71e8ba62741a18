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

/**
 * A note about something that happened to an object. Events are kept for about an hour and
 * may be lost; do not build logic on them.
 */
export interface Event {
  /** What was done or failed, as one word of at most 128 characters. Required for new events. */
  action?: string;
  /** Group and version of the object's schema, such as `apps/v1`. Typed clients fill it in. */
  apiVersion?: 'events.k8s.io/v1';
  /** Count of repetitions, for clients of the core version. */
  deprecatedCount?: number;
  /** First time, for clients of the core version. */
  deprecatedFirstTimestamp?: Time;
  /** Last time, for clients of the core version. */
  deprecatedLastTimestamp?: Time;
  /** Sender, for clients of the core version. */
  deprecatedSource?: EventSource;
  /** When the event first happened, in microseconds. */
  eventTime: MicroTime;
  /** Name of the object's schema, such as `Deployment`. Typed clients fill it in. */
  kind?: 'Event';
  /** Name, namespace and other standard metadata. The namespace must be that of the object. */
  metadata?: ObjectMeta;
  /** What happened, for people. At most 1 kB. */
  note?: string;
  /**
   * Why the action was taken as one word of at most 128 characters, such as `Scheduled`.
   * Required for new events.
   */
  reason?: string;
  /** The object that the event is about. */
  regarding?: ObjectReference;
  /** A second object that the event is about, if there is one. */
  related?: ObjectReference;
  /**
   * Name of the controller that sent the event, such as `kubernetes.io/kubelet`. Required for
   * new events.
   */
  reportingController?: string;
  /**
   * ID of the controller instance that sent the event, at most 128 characters. Required for
   * new events.
   */
  reportingInstance?: string;
  /** Count and time of repetitions, if the event is part of a series. */
  series?: EventSeries;
  /** `Normal` or `Warning`. Required for new events. */
  type?: string;
}

/** A list of Event objects, as a list request returns it. Large lists come in pages. */
export interface EventList {
  /** Group and version of the object's schema, such as `apps/v1`. Typed clients fill it in. */
  apiVersion?: 'events.k8s.io/v1';
  /** The objects of this page. */
  items: Event[];
  /** Name of the object's schema, such as `Deployment`. Typed clients fill it in. */
  kind?: 'EventList';
  /** The resource version at which the list was read, and the token for the next page. */
  metadata?: ListMeta;
}

/** Repetitions of an event. */
export interface EventSeries {
  /** How often the event has happened so far. */
  count: number;
  /** When the event last happened. */
  lastObservedTime: MicroTime;
}
