import { after, before, test } from 'node:test'
import type { Page } from 'playwright-core'
import { noChromium, openWeb, type Web } from './setup.ts'
import { openFor } from './steps.ts'

const skip = noChromium
let web: Web
before(async () => {
  if (!skip) web = await openWeb(undefined, { limits: false })
})
after(() => web?.close())

const createFile = async (name: string, mime_type: string, content: Buffer) =>
  (
    await web.ann.call('upload_file', {
      name,
      mime_type,
      content_base64: content.toString('base64'),
    })
  ).id as string

/** A tone of a few seconds, as a WAV with 8,000 8-bit samples per second. */
function tone(seconds: number): Buffer {
  const samples = Uint8Array.from({ length: 8000 * seconds }, (_, n) => 128 + 60 * Math.sin(n / 3))
  const header = Buffer.alloc(44)
  header.write('RIFF', 0)
  header.writeUInt32LE(36 + samples.length, 4)
  header.write('WAVEfmt ', 8)
  header.writeUInt32LE(16, 16)
  header.writeUInt16LE(1, 20) // PCM
  header.writeUInt16LE(1, 22) // one channel
  header.writeUInt32LE(8000, 24)
  header.writeUInt32LE(8000, 28)
  header.writeUInt16LE(1, 32)
  header.writeUInt16LE(8, 34)
  header.write('data', 36)
  header.writeUInt32LE(samples.length, 40)
  return Buffer.concat([header, samples])
}

/** A few frames of video, recorded by the browser. */
async function recordVideo(page: Page): Promise<Buffer> {
  const base64 = await page.evaluate(async () => {
    const canvas = Object.assign(document.createElement('canvas'), { width: 320, height: 180 })
    const context = canvas.getContext('2d')!
    const recorder = new MediaRecorder(canvas.captureStream(10), { mimeType: 'video/webm' })
    const parts: Blob[] = []
    recorder.ondataavailable = ({ data }) => parts.push(data)
    const stopped = new Promise((resolve) => {
      recorder.onstop = resolve
    })
    recorder.start()
    for (let n = 0; n < 12; n++) {
      context.fillStyle = `hsl(${n * 30} 80% 50%)`
      context.fillRect(0, 0, 320, 180)
      await new Promise((resolve) => setTimeout(resolve, 100))
    }
    recorder.stop()
    await stopped
    const bytes = new Uint8Array(await new Blob(parts).arrayBuffer())
    return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''))
  })
  return Buffer.from(base64, 'base64')
}

test('a recording is played in place from any position, even after its address has expired', {
  skip,
}, async () => {
  const id = await createFile('standup.wav', 'audio/wav', tone(180))
  const { visitor, page } = await openFor(web, web.ann, `/files/${id}`)
  const player = page.locator('audio')
  await player.waitFor()
  await page.waitForFunction(() => document.querySelector('audio')!.duration === 180)
  await visitor.checkPage('file-audio')
  await player.evaluate((audio: HTMLAudioElement) => {
    audio.currentTime = 15
  })
  await page.waitForFunction(() => {
    const { currentTime, seeking } = document.querySelector('audio')!
    return currentTime === 15 && !seeking
  })
  const firstUrl = await player.getAttribute('src')
  web.clock.wait(11 * 60_000)
  await player.evaluate((audio: HTMLAudioElement) => {
    audio.currentTime = 170
  })
  await page.waitForFunction((path) => {
    const { src, currentTime, readyState } = document.querySelector('audio')!
    return !src.endsWith(path) && currentTime === 170 && readyState >= 2
  }, String(firstUrl))
  visitor.assertNoProblems()
})

test('a video is shown; one the browser cannot play says so', { skip }, async () => {
  const { visitor, page } = await openFor(web, web.ann, '/')
  const id = await createFile('tour.webm', 'video/webm', await recordVideo(page))
  await visitor.go(`/files/${id}`)
  await page.waitForFunction(() => document.querySelector('video')!.videoWidth === 320)
  await visitor.checkPage('file-video')
  const broken = await createFile('broken.mp4', 'video/mp4', Buffer.from('no film at all'))
  await visitor.go(`/files/${broken}`)
  await page.getByText('This browser cannot play it.').waitFor()
  await visitor.checkPage('file-not-played')
  visitor.assertNoProblems()
})
