import { BackwardWriter } from './wire/backward-writer.ts';
import { bytesTag, varintTag } from './wire/wire-reader.ts';

/** An envelope around bytes that no encoder of ours would write. */
export function envelope(apiVersion: string, kind: string, raw: Uint8Array): Uint8Array {
  const writer = new BackwardWriter();
  writer.bytes(raw);
  writer.byte(bytesTag(2));
  const end = writer.written;
  writer.string(kind);
  writer.byte(bytesTag(2));
  writer.string(apiVersion);
  writer.byte(bytesTag(1));
  writer.uint32(writer.written - end);
  writer.byte(bytesTag(1));
  writer.raw(Buffer.from('k8s\0'));
  return writer.finish();
}

/** The bytes of what is written, which goes from the end to the beginning. */
export function message(write: (writer: BackwardWriter) => void): Uint8Array {
  const writer = new BackwardWriter();
  write(writer);
  return writer.finish();
}

/** A newer server's pod: field 900 in the pod, in its metadata, and in an inlined structure. */
export function newerPod(): Uint8Array {
  const unknown = (writer: BackwardWriter): void => {
    writer.integer(5);
    writer.uint32(varintTag(900));
  };
  const raw = message((writer) => {
    unknown(writer);
    const source = message(unknown);
    const volume = message((inner) => {
      inner.bytes(source);
      inner.byte(bytesTag(2));
      inner.string('data');
      inner.byte(bytesTag(1));
    });
    const spec = message((inner) => {
      inner.bytes(volume);
      inner.byte(bytesTag(1));
    });
    writer.bytes(spec);
    writer.byte(bytesTag(2));
    writer.bytes(message(unknown));
    writer.byte(bytesTag(1));
  });
  return envelope('v1', 'Pod', raw);
}
