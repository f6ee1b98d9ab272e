/** A text in UTF-7 (RFC 2152), which the decoders of the platform do not know any more: `+AOQ-` is ä. What is broken stays as it is. */
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
