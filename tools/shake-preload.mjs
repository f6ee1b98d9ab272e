// Preloaded in every process and thread of `npm run test:shake`: adds seeded delays wherever the system may delay.
// Nothing is lost, and ordering is preserved within one socket and one port. Each kind has its own random sequence, so
// that a seed always gives the same delays.

import fs from 'node:fs'
import http from 'node:http'
import { syncBuiltinESMExports } from 'node:module'
import net from 'node:net'
import { basename } from 'node:path'
import worker from 'node:worker_threads'
import { delayOf, randomOf } from '../src/testing/shake/random.mjs'

const seed = process.env.SHAKE_SEED
function shake() {
  const { setTimeout } = globalThis // a test may replace it
  const drawn = (kind) => {
    const random = randomOf(`${seed} ${basename(process.argv[1] ?? '')} ${worker.threadId} ${kind}`)
    return () => delayOf(random)
  }
  /** Runs the steps of one object in order, each after its own delay. */
  const inOrder = (delay) => {
    const queues = new WeakMap()
    return (key, step) => {
      const queue = queues.get(key) ?? []
      queues.set(key, queue)
      queue.push(step)
      if (queue.length > 1) return
      const next = () => {
        const ms = delay()
        if (ms === 0) return run()
        setTimeout(run, ms)
      }
      const run = () => {
        queue[0]()
        queue.shift()
        if (queue.length > 0) next()
      }
      next()
    }
  }
  shakeSockets(inOrder(drawn('socket')))
  shakePorts(inOrder(drawn('port')))
  shakeFiles(drawn('file'), setTimeout)
  shakeTimers(drawn('timer'))
  syncBuiltinESMExports()
}

/** Delays received bytes; those of HTTP servers do not pass through here, so their requests are delayed. */
function shakeSockets(inOrder) {
  const { emit } = http.Server.prototype
  http.Server.prototype.emit = function (event, ...args) {
    if (event !== 'request') return emit.call(this, event, ...args)
    inOrder(args[0].socket, () => emit.call(this, event, ...args))
    return true
  }
  const { push } = net.Socket.prototype
  net.Socket.prototype.push = function (chunk, encoding) {
    inOrder(this, () => this.destroyed || push.call(this, chunk, encoding))
    return true
  }
}

/** Delays messages between threads. */
function shakePorts(inOrder) {
  for (const { prototype } of [worker.MessagePort, worker.Worker]) {
    const { postMessage } = prototype
    prototype.postMessage = function (value, transfer) {
      const sent = transfer === undefined ? structuredClone(value) : value // its sender may change it by then
      inOrder(this, () => postMessage.call(this, sent, transfer))
    }
  }
}

const fileCalls = [
  'access',
  'appendFile',
  'copyFile',
  'cp',
  'lstat',
  'mkdir',
  'mkdtemp',
  'open',
  'readFile',
  'readdir',
  'realpath',
  'rename',
  'rm',
  'rmdir',
  'stat',
  'truncate',
  'unlink',
  'utimes',
  'writeFile',
]

/** Delays file system calls. */
function shakeFiles(delay, setTimeout) {
  for (const name of fileCalls) {
    const original = fs.promises[name]
    fs.promises[name] = async (...args) => {
      const result = await original.apply(fs.promises, args)
      const ms = delay()
      if (ms > 0) await new Promise((go) => setTimeout(go, ms))
      return result
    }
  }
}

/** Timers of 0 and 1 ms fire later than others that were set after them. */
function shakeTimers(delay) {
  const { setTimeout } = globalThis
  const shaken = (callback, ms, ...args) =>
    setTimeout(callback, (ms ?? 0) <= 1 ? delay() : ms, ...args)
  globalThis.setTimeout = Object.assign(shaken, setTimeout, {
    [Symbol.for('nodejs.util.promisify.custom')]:
      setTimeout[Symbol.for('nodejs.util.promisify.custom')],
  })
}

if (seed !== undefined) shake()
