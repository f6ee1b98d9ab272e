/**
 * Decodes UTF-7 (RFC 2152), which platform decoders no longer support: `+AOQ-` is ä. Invalid sequences stay
 * unchanged.
 */
export function fromUtf7(text: string): string {
  return text.replaceAll(/\+([A-Za-z0-9+/]*)-?/g, (whole, encoded: string) => {
    if (encoded === '') return whole === '+-' ? '+' : whole
    const bytes = Buffer.from(encoded, 'base64')
    let decoded = ''
    for (let i = 0; i + 1 < bytes.length; i += 2)
      decoded += String.fromCharCode(bytes.readUInt16BE(i))
    return decoded === '' || !decoded.isWellFormed() ? whole : decoded
  })
}
