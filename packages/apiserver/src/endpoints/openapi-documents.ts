import type { Clock, JsonObject } from 'client-ts/internal';
import { typesOf } from '../discovery/openapi/document-parts.ts';
import { type DocumentSource, DocumentSources } from '../discovery/openapi/document-sources.ts';
import { jsonV2, pathItem, protobufV2 } from '../discovery/openapi/document-v2.ts';
import { documentV3, protobufV3 } from '../discovery/openapi/document-v3.ts';
import { Fragment } from '../discovery/openapi/fragment.ts';
import { memoize } from '../discovery/openapi/memoize.ts';
import type { ApiPath } from '../discovery/openapi/operation.ts';
import { pathItemV2, schemaV2 } from '../discovery/openapi/protobuf/fields-v2.ts';
import { reachableTypes, typeV2 } from '../discovery/openapi/types.ts';
import type { Catalog } from '../registry/catalog.ts';
import { loadModel } from '../schema/model.ts';
import { hashOf } from './hash.ts';

/** A document that was made and is kept until what it describes changes. */
export interface OpenApiDocument {
  readonly json: Uint8Array;
  /** The same as protobuf, made when first asked for. */
  readonly protobuf: () => Promise<Uint8Array>;
  /** Of the JSON; it stands for the content in both encodings. */
  readonly hash: string;
  /** When it was made, in milliseconds since the epoch. */
  readonly modified: number;
}

export interface OpenApiDocumentsOptions {
  readonly catalog: Catalog;
  readonly clock: Clock;
  /** Lets other work go first. A whole API takes longer to describe than one turn should last. */
  readonly pause: () => Promise<void>;
}

/** How many paths or types of the v2 document are written in one turn. */
const FRAGMENTS_PER_TURN = 100;

/** The OpenAPI documents of one server. Nothing is made before somebody asks for it. */
export class OpenApiDocuments {
  readonly #options: OpenApiDocumentsOptions;
  readonly #sources: DocumentSources;
  readonly #v3 = new Map<string, { source: DocumentSource; document: OpenApiDocument }>();
  #v2: { readonly generation: number; readonly document: Promise<OpenApiDocument> } | undefined;
  readonly #pathFragment = memoize(
    (path: ApiPath) => new Fragment(path.path, pathItem(path), pathItemV2),
  );
  readonly #typeFragments = new WeakMap<JsonObject, Fragment>();

  constructor(options: OpenApiDocumentsOptions) {
    this.#options = options;
    this.#sources = new DocumentSources(options.catalog, loadModel());
  }

  /** The v3 document at a place in the index; undefined if there is none. */
  v3(path: string): OpenApiDocument | undefined {
    const source = this.#sources.find(path);
    return source && this.#documentOf(source);
  }

  /** The hash of every v3 document, by its place in the index. */
  async index(): Promise<ReadonlyMap<string, string>> {
    const hashes = new Map<string, string>();
    for (const source of this.#sources.all()) {
      if (!this.#isKnown(source)) await this.#options.pause();
      hashes.set(source.path, this.#documentOf(source).hash);
    }
    return hashes;
  }

  /** The v2 document: everything in one. Requests that come while it is made wait for the same. */
  v2(): Promise<OpenApiDocument> {
    const { generation } = this.#options.catalog;
    if (this.#v2?.generation !== generation) {
      const made = { generation, document: this.#makeV2() };
      this.#v2 = made;
      // What failed is tried anew.
      made.document.catch(() => {
        if (this.#v2 === made) this.#v2 = undefined;
      });
    }
    return this.#v2.document;
  }

  #isKnown({ path, resources }: DocumentSource): boolean {
    const known = this.#v3.get(path)?.source.resources;
    return (
      known?.length === resources.length &&
      known.every((resource, index) => resource === resources[index])
    );
  }

  #documentOf(source: DocumentSource): OpenApiDocument {
    const known = this.#v3.get(source.path);
    if (known !== undefined && this.#isKnown(source)) return known.document;
    const types = this.#sources.types(source.resources, 3);
    const paths = this.#sources.paths(source);
    const whole = documentV3(paths, source.groupVersion, types, loadModel());
    const json = Buffer.from(JSON.stringify(whole));
    // Read back from the text if ever needed; the objects would take far more memory.
    const document = this.#document(json, async () => protobufV3(JSON.parse(json.toString())));
    this.#v3.set(source.path, { source, document });
    return document;
  }

  async #makeV2(): Promise<OpenApiDocument> {
    // All sources at once, before the first pause: a document of one state of the API.
    const sources = this.#sources.all();
    const { pause } = this.#options;
    const paths: Fragment[] = [];
    const roots = new Set<string>();
    for (const source of sources) {
      await pause();
      const own = this.#sources.paths(source);
      paths.push(...own.map(this.#pathFragment));
      for (const type of typesOf(own)) roots.add(type);
    }
    const types = this.#sources.types(
      sources.flatMap(({ resources }) => resources),
      2,
    );
    const definitions: Fragment[] = [];
    for (const [name, type] of reachableTypes(roots, types)) {
      if (definitions.length % FRAGMENTS_PER_TURN === 0) await pause();
      definitions.push(this.#typeFragment(name, type));
    }
    await pause();
    paths.sort((left, right) => (left.name < right.name ? -1 : 1));
    const whole = { model: loadModel(), paths, definitions };
    return this.#document(jsonV2(whole), async () => {
      // They remember what they wrote, so that the whole is only put together.
      for (const [index, fragment] of [...paths, ...definitions].entries()) {
        if (index % FRAGMENTS_PER_TURN === 0) await pause();
        fragment.protobuf();
      }
      return protobufV2(whole);
    });
  }

  #typeFragment(name: string, type: JsonObject): Fragment {
    let fragment = this.#typeFragments.get(type);
    if (fragment === undefined) {
      fragment = new Fragment(name, typeV2(type), schemaV2);
      this.#typeFragments.set(type, fragment);
    }
    return fragment;
  }

  #document(json: Uint8Array, protobuf: () => Promise<Uint8Array>): OpenApiDocument {
    let encoded: Promise<Uint8Array> | undefined;
    return {
      json,
      protobuf: () => (encoded ??= protobuf()),
      hash: hashOf(json),
      modified: this.#options.clock.now(),
    };
  }
}
