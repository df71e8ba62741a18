export type {
  Transport,
  TransportHeaders,
  TransportRequest,
  TransportResponse,
} from './transport.ts';
