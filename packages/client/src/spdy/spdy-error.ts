import { ClientError, type ClientErrorOptions, defineErrors } from '../lib/index.ts';

/** The other end of a connection breaks the rules of SPDY, or has reset a stream. */
export class SpdyError extends ClientError {
  constructor(message: string, options: ClientErrorOptions = {}) {
    super('SPDY_PROTOCOL', message, options);
  }

  static {
    defineErrors(this, 'SpdyError', 'SPDY', {
      SPDY_PROTOCOL: {
        retry: 'unsafe',
        when: 'A frame of a forwarded connection is invalid, or the other end has reset its stream.',
      },
    });
  }
}
