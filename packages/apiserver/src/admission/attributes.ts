import type { JsonObject, JsonValue } from 'client-ts/internal';
import type { GroupVersionKind, GroupVersionResource } from 'client-ts/meta';
import type { RequestUser } from '../registry/strategy.ts';
import type { Schema } from '../schema/schema.ts';

/** What a request does, in the words of admission. */
export type Operation = 'CONNECT' | 'CREATE' | 'DELETE' | 'UPDATE';

/** One version of the API in which admission can see the objects of a request. */
export interface AdmissionForm {
  readonly resource: GroupVersionResource;
  readonly kind: GroupVersionKind;
}

/** A request as admission sees it. */
export interface AdmissionAttributes {
  readonly operation: Operation;
  /** The version of the request. */
  readonly form: AdmissionForm;
  readonly subresource: string;
  /** Empty if it is not generated yet, and for deletions of collections. */
  readonly name: string;
  /** Also the name of a Namespace, as on a real server. */
  readonly namespace: string;
  readonly user: RequestUser;
  readonly dryRun: boolean;
  /** The options of the operation, in `meta.k8s.io/v1`; undefined for a CONNECT. */
  readonly options: JsonObject | undefined;
  /** The new object; undefined for a deletion. Admission does not modify it. */
  readonly object: JsonObject | undefined;
  /** The stored object; undefined for a create or connect. */
  readonly oldObject: JsonObject | undefined;
  readonly codec: AdmissionCodec;
  /** Adds a `Warning` header to the response. */
  readonly warn: (text: string) => void;
}

/** How objects of a request are read and converted. */
export interface AdmissionCodec {
  /** Returns the other versions of the resource, in the order in which rules try them. */
  readonly equivalents: () => readonly AdmissionForm[];
  readonly convert: (
    object: JsonObject,
    from: AdmissionForm,
    to: AdmissionForm,
  ) => JsonObject | Promise<JsonObject>;
  /**
   * Decodes a patched object. Throws the 500 of a real server if it does not fit its type, or has
   * unknown fields and must not.
   */
  readonly decode: (
    value: JsonValue,
    form: AdmissionForm,
    options?: { readonly isStrict?: boolean },
  ) => JsonObject;
  /** Returns the schema of the objects in a version, and whether a custom resource defines it. */
  readonly typeOf: (form: AdmissionForm) => { readonly schema: Schema; readonly custom?: object };
  /** Sets the defaults of the version in place. */
  readonly setDefaults: (object: JsonObject, form: AdmissionForm) => void;
  /** Runs the mutating admission that is built in, in place and again after webhooks changed it. */
  readonly admitBuiltIn: (object: JsonObject) => void;
}
