import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readAnswers } from './answers.ts'

test('answers to a pulse can be keyed by question text', () => {
  const questions = [{ id: 'q1', text: 'What is next?', type: 'text' }] as Parameters<
    typeof readAnswers
  >[0]
  assert.deepEqual(readAnswers(questions, { 'what is next?': 'Sleep' }), { q1: 'Sleep' })
  assert.throws(() => readAnswers(questions, { 'What was?': 'Work' }), /unknown question/)
})
