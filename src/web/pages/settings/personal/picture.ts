import { call } from '../../../api/client.ts'

const edgePx = 256

/** Shrinks and crops a picture in the browser, which also removes the location from the file before the upload. */
async function shrinkPicture(file: File): Promise<Blob> {
  const bitmap = await createImageBitmap(file)
  const side = Math.min(bitmap.width, bitmap.height)
  const canvas = new OffscreenCanvas(edgePx, edgePx)
  canvas
    .getContext('2d')!
    .drawImage(
      bitmap,
      (bitmap.width - side) / 2,
      (bitmap.height - side) / 2,
      side,
      side,
      0,
      0,
      edgePx,
      edgePx,
    )
  return canvas.convertToBlob({ type: 'image/png' })
}

/**
 * Uploads a picture to the person's drive and sets it as profile picture. @throws ApiError; Error if it is no
 * picture
 */
export async function setProfilePicture(file: File): Promise<void> {
  const bytes = new Uint8Array(await (await shrinkPicture(file)).arrayBuffer())
  const content_base64 = btoa(bytes.reduce((text, byte) => text + String.fromCharCode(byte), ''))
  const uploadedFile = await call('upload_file', {
    name: 'profile-picture.png',
    content_base64,
    mime_type: 'image/png',
    on_conflict: 'rename',
  })
  await call('update_my_profile', { avatar_file_id: uploadedFile.id })
}
