// A workspace for measuring what links are worth: mails and their answers, tasks and what they are made of, meetings and what they left to
// do, pages that mails name. Made up by rules from two vocabularies that share nothing: one to develop with, one to judge by. Answers to
// most questions have few words of the question in them; what leads there is a link. The figures say whether ranking uses links, not how
// good search is on the texts of people.

import type { Collection } from './score.ts'

interface Vocabulary {
  places: string[]
  /** Subjects: the thing, its fault, and the parts ordered for it. */
  subjects: [string, string, string[]][]
  plans: string[]
  people: string[]
}

const vocabularies: Record<'dev' | 'judge', Vocabulary> = {
  dev: {
    places: 'Antwerp Bergen Cadiz Dublin Esbjerg Faro'.split(' '),
    subjects: [
      ['cooling pump', 'leaks oil', ['seal kit', 'pressure gauge']],
      ['loading crane', 'stops halfway', ['brake lining', 'control cable']],
      ['ferry timetable', 'clashes with the school run', ['summer sheet', 'notice board']],
      ['ticket machine', 'swallows cards', ['card reader', 'coin tray']],
      ['canteen menu', 'has too little without meat', ['lentil supplier', 'recipe cards']],
      ['visitor badge', 'runs out by noon', ['blank plastics', 'badge printer']],
      ['harbour lights', 'flicker in the rain', ['junction box', 'rubber gaskets']],
      ['payroll import', 'doubles the overtime', ['rounding rule', 'test file']],
    ],
    plans:
      'Albatross Bramble Cinnamon Drumlin Estuary Falcon Gannet Heather Isobar Juniper Kelp Larch Mistral Nettle Osprey Pumice Quarry Rowan Saffron Tundra Umber Vesper Willow Yarrow'.split(
        ' ',
      ),
    people: 'Jonas Mara Piet Solveig Tomas Yusra'.split(' '),
  },
  judge: {
    places: 'Lille Modena Narvik Odense Porto Riga'.split(' '),
    subjects: [
      ['blood fridge', 'warms up at night', ['door hinge', 'thermostat']],
      ['ward roster', 'leaves Sundays empty', ['agency nurses', 'swap form']],
      ['referral letter', 'arrives without a date', ['letter template', 'date stamp']],
      ['parking barrier', 'closes on cars', ['induction loop', 'spare arm']],
      ['laundry contract', 'ends in autumn', ['price list', 'linen count']],
      ['lab courier', 'comes after the lab has closed', ['earlier van', 'drop box']],
      ['consent form', 'is only there in one language', ['translator', 'print run']],
      ['call bell', 'rings in the wrong room', ['wiring chart', 'address switches']],
    ],
    plans:
      'Amber Basalt Cobalt Dolomite Emerald Feldspar Garnet Hematite Indigo Jasper Kyanite Lapis Malachite Nickel Onyx Pyrite Quartz Ruby Sapphire Topaz Ultramarine Vanadium Wolfram Zircon'.split(
        ' ',
      ),
    people: 'Aino Bilal Chiara Dorte Emre Fanny'.split(' '),
  },
}

const small = [
  'Thanks for the quick word this morning.',
  'I am away on Thursday and back on Monday.',
  'Please keep the others in copy.',
  'The figures are in the usual folder.',
  'We will look at it again next week.',
  'Nobody has objected so far.',
  'That should not take more than an hour.',
  'The rest can wait until after the holidays.',
]

/** A random number between 0 and 1, the same ones for each seed. */
function dice(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let x = Math.imul(state ^ (state >>> 15), 1 | state)
    x = (x + Math.imul(x ^ (x >>> 7), 61 | x)) ^ x
    return ((x ^ (x >>> 14)) >>> 0) / 4294967296
  }
}

/** Made anew, and the same, each time. */
export function workspace(which: 'dev' | 'judge'): Collection {
  const { places, subjects, plans, people } = vocabularies[which]
  const random = dice(which === 'dev' ? 11 : 29)
  const any = <T>(list: readonly T[]) => list[Math.floor(random() * list.length)]!
  const padding = () =>
    [
      any(small),
      any(small),
      `${any(people)} asked about the ${any(subjects)[0]} in ${any(places)} as well.`,
    ]
      .slice(0, 1 + Math.floor(random() * 3))
      .join(' ')
  const { docs, queries, qrels }: Collection = { docs: [], queries: [], qrels: {} }
  const put = (id: string, title: string, text: string, links: [string, string][] = []) =>
    void docs.push({
      id,
      title,
      text: `${text} ${padding()}`,
      links: links.map(([to, kind]) => ({ to, kind })),
    })
  const ask = (id: string, text: string, answers: Record<string, number>) => {
    queries.push({ id, text, kind: id.replace(/\d+/, '') })
    qrels[id] = answers
  }
  let n = 0
  for (const [subject, trouble, parts] of subjects) {
    for (const place of [...places].sort(() => random() - 0.5).slice(0, 3)) {
      const i = n++
      const [asker, owner] = [any(people), any(people)]
      const plan = `${plans[i % plans.length]} Plan`
      const money = 500 + Math.floor(random() * 90) * 100
      put(
        `mail${i}a`,
        `${place}: ${subject}`,
        `Hello ${owner}, the ${subject} in ${place} ${trouble}. What shall we do? The limit is in the ${plan}.`,
      )
      put(
        `mail${i}b`,
        `Re: ${place}`,
        `We take the second offer, and ${asker} signs it by the ${1 + Math.floor(random() * 28)}th.`,
        [[`mail${i}a`, 'reply']],
      )
      put(`mail${i}c`, `Re: ${place}`, `Agreed. I tell the workshop today.`, [
        [`mail${i}b`, 'reply'],
      ])
      put(
        `plan${i}`,
        plan,
        `Up to ${money} EUR may be spent without asking. ${owner} is responsible.`,
      )
      put(`task${i}`, `Fix the ${subject}, ${place}`, `It ${trouble}.`)
      for (const [k, part] of parts.entries())
        put(`task${i}-${k}`, `Order the ${part}`, `For ${owner}.`, [[`task${i}`, 'parent']])
      put(
        `meeting${i}`,
        `${place} weekly ${1 + Math.floor(random() * 50)}`,
        `We talked about the ${subject}, which ${trouble}. ${owner} reports back.`,
      )
      put(`action${i}`, `Call ${any(people)} about the offer`, `By Friday.`, [
        [`meeting${i}`, 'action'],
      ])
      ask(`part${i}`, `What has to be ordered for the ${subject} in ${place}?`, {
        [`task${i}`]: 1,
        [`task${i}-0`]: 2,
        [`task${i}-1`]: 2,
      })
      ask(`left${i}`, `What did the ${place} meeting about the ${subject} leave to do?`, {
        [`meeting${i}`]: 1,
        [`action${i}`]: 2,
      })
      ask(`limit${i}`, `How much may be spent on the ${subject} in ${place}?`, {
        [`plan${i}`]: 2,
        [`mail${i}a`]: 1,
      })
      ask(
        `answer${i}`,
        `What was answered when ${asker} wrote that the ${subject} in ${place} ${trouble}?`,
        { [`mail${i}a`]: 1, [`mail${i}b`]: 2, [`mail${i}c`]: 1 },
      )
      ask(`plain${i}`, `${subject} in ${place} ${trouble}`, {
        [`mail${i}a`]: 2,
        [`task${i}`]: 1,
        [`meeting${i}`]: 1,
      })
    }
  }
  return { docs, queries, qrels }
}
