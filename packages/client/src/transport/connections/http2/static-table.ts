/**
 * The static table of RFC 7541, Appendix A: the fields have the indices 1 to 61, names and values
 * interleaved here.
 */
const FIELDS =
  ':authority||:method|GET|:method|POST|:path|/|:path|/index.html|:scheme|http|:scheme|https' +
  '|:status|200|:status|204|:status|206|:status|304|:status|400|:status|404|:status|500' +
  '|accept-charset||accept-encoding|gzip, deflate|accept-language||accept-ranges||accept|' +
  '|access-control-allow-origin||age||allow||authorization||cache-control||content-disposition|' +
  '|content-encoding||content-language||content-length||content-location||content-range|' +
  '|content-type||cookie||date||etag||expect||expires||from||host||if-match||if-modified-since|' +
  '|if-none-match||if-range||if-unmodified-since||last-modified||link||location||max-forwards|' +
  '|proxy-authenticate||proxy-authorization||range||referer||refresh||retry-after||server|' +
  '|set-cookie||strict-transport-security||transfer-encoding||user-agent||vary||via|' +
  '|www-authenticate|';

const interleaved = FIELDS.split('|');

/** The name of each field; its index is one higher. */
export const STATIC_NAMES: readonly string[] = interleaved.filter((_, index) => index % 2 === 0);

/** The value of each field, empty if it has none. */
export const STATIC_VALUES: readonly string[] = interleaved.filter((_, index) => index % 2 === 1);

/** The octets that RFC 7541, section 4.1, adds to the size of a field in a table. */
export const FIELD_OVERHEAD = 32;

/** The size of a dynamic table unless both sides agree on another one. */
export const TABLE_SIZE = 4096;
