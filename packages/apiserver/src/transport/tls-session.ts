/** Tags of DER: a sequence, and the field `peer` of a session. */
const SEQUENCE = 0x30;
const PEER = 0xa3;

/**
 * Returns the certificate of the other end, as DER, from the encoded state of a TLS session: what `getSession()` of a `TLSSocket`
 * returns. Undefined if there is none, or if the session has another form than OpenSSL's.
 *
 * Node's `getPeerX509Certificate()` decodes the certificate once more, which takes ten times as long as this.
 */
export function peerCertificateOf(session: Buffer): Buffer | undefined {
  if (session[0] !== SEQUENCE) return undefined;
  const whole = valueAt(session, 0);
  if (whole === undefined) return undefined;
  for (let at = whole.start; at < whole.end;) {
    const field = valueAt(session, at);
    if (field === undefined) return undefined;
    if (session[at] === PEER) return session.subarray(field.start, field.end);
    at = field.end;
  }
  return undefined;
}

/** Returns where the content of the value at an offset is; undefined if it does not end within the bytes. */
function valueAt(bytes: Buffer, at: number): { start: number; end: number } | undefined {
  const first = bytes[at + 1] ?? 0;
  // Up to 127 in one byte; above that, the number of bytes, then the bytes.
  const width = first < 0x80 ? 0 : first - 0x80;
  const start = at + 2 + width;
  // No session is longer than three bytes can say.
  if (width > 3 || start > bytes.length) return undefined;
  const end = start + (width === 0 ? first : bytes.readUIntBE(at + 2, width));
  return end > bytes.length ? undefined : { start, end };
}
