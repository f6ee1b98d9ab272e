import { parseDomain } from './domains.ts'
import { nameKey } from './names.ts'

const splitDomains = (text: string) => text.trim().split(/\s+/)

/** Domains of mail providers that are open to anyone. */
const mailDomains = new Set(
  splitDomains(`
    163.com 126.com alice.it aon.at arcor.de att.net bellsouth.net bigpond.com bk.ru bluewin.ch bol.com.br btinternet.com centrum.cz
    charter.net chello.at comcast.net cox.net daum.net duck.com earthlink.net email.com free.fr freenet.de hanmail.net hetnet.nl hey.com
    home.nl hushmail.com inbox.com inbox.lv inbox.ru interia.pl juno.com kpnmail.nl laposte.net libero.it list.ru mac.com mail.com mail.de
    mail.ru mailbox.org me.com mozmail.com naver.com ntlworld.com o2.pl onet.pl online.de optonline.net optusnet.com.au orange.fr
    planet.nl pm.me posteo.de posteo.net privaterelay.appleid.com proton.me qq.com rambler.ru rediffmail.com rocketmail.com rogers.com
    runbox.com sbcglobal.net seznam.cz sfr.fr shaw.ca sina.com skynet.be sohu.com sympatico.ca t-online.de talktalk.net telenet.be
    terra.com.br tin.it tiscali.it tutamail.com tuta.com tuta.io ukr.net uol.com.br verizon.net virgilio.it virginmedia.com wanadoo.fr
    web.de wp.pl xs4all.nl yeah.net ziggo.nl zohomail.com zohomail.eu
  `),
)

/** Providers that have a domain in each country. */
const mailBrands =
  /^(aol|fastmail|gmail|gmx|googlemail|hotmail|icloud|live|msn|outlook|protonmail|tutanota|yahoo|yandex|ymail)\.(com|net|(com?\.)?[a-z]{2})$/

/** Hosts with pages or subdomains of many different owners. */
const sharedHosts = new Set([
  // social networks, messengers, video, music
  ...splitDomains(`
    behance.net bsky.app dailymotion.com deviantart.com discord.com discord.gg dribbble.com facebook.com fb.com fb.me fb.watch flickr.com
    flipboard.com goodreads.com instagr.am instagram.com line.me linkedin.com lnkd.in m.me mastodon.social messenger.com mixcloud.com
    myspace.com nextdoor.com ok.ru quora.com reddit.com signal.me slideshare.net snapchat.com soundcloud.com spotify.com t.co t.me
    telegram.me threads.com threads.net tiktok.com truthsocial.com twitch.tv twitter.com vimeo.com vk.com wa.me wechat.com weibo.com
    whatsapp.com x.com xing.com xing.to youtu.be youtube.com zalo.me
  `),
  // link lists, short links, profiles, appointments, forms, shared files
  ...splitDomains(`
    about.me allmylinks.com beacons.ai bento.me bio.link bio.site bit.ly buymeacoffee.com cal.com calendly.com campsite.bio cutt.ly
    dropbox.com flow.page forms.gle forms.office.com goo.gl gravatar.com is.gd jotform.com ko-fi.com linkin.bio linkpop.com linktr.ee
    lnk.bio lnk.to many.link onedrive.live.com ow.ly padlet.com patreon.com qrco.de rb.gy rebrand.ly shorturl.at solo.to taplink.at
    taplink.cc tinyurl.com typeform.com youcanbook.me 1drv.ms sharepoint.com
  `),
  // website builders, blogs
  ...splitDomains(`
    altervista.org beepworld.de blogger.com bubbleapps.io business.site canalblog.com canva.com canva.site carrd.co company.site
    dudaone.com e-monsite.com editorx.io framer.ai framer.app framer.media framer.website ghost.io glide.page glideapp.io
    godaddysites.com homestead.com hpage.com jimdo.com jimdofree.com jimdosite.com jimdoweb.com lovable.app medium.com
    multiscreensite.com mystrikingly.com negocio.site notion.site notion.so npage.de one.page over-blog.com simplesite.com site123.me
    softr.app square.site squarespace.com strikingly.com substack.com super.site tilda.cc tilda.ws tumblr.com ucoz.com ueniweb.com
    webflow.io website-start.de websites.co.in weebly.com weeblysite.com wix.com wixsite.com wixstudio.com wordpress.com
    wpcomstaging.com yolasite.com zohosites.com
  `),
  // hosting under the host's own domain
  ...splitDomains(`
    000webhostapp.com amazonaws.com amplifyapp.com appspot.com azurestaticapps.net azurewebsites.net bitbucket.io bitbucket.org
    bplaced.net cloudapp.net cloudfront.net cloudwaysapps.com codeberg.org codeberg.page dyndns.org epizy.com firebaseapp.com fly.dev
    github.com github.io gitlab.com gitlab.io glitch.me herokuapp.com hostingersite.com infinityfreeapp.com ionos.space kinsta.cloud
    kundenserver.de myfritz.net netlify.app netlify.com now.sh ondigitalocean.app onrender.com pages.dev pantheonsite.io plesk.page
    railway.app repl.co replit.app replit.dev rf.gd run.app rzone.de sg-host.com sourceforge.net strato-hosting.eu surge.sh synology.me
    vercel.app web.app workers.dev wpengine.com wpenginepowered.com
  `),
  // shops, marketplaces, tickets
  ...splitDomains(`
    1688.com alibaba.com aliexpress.com allegro.pl amzn.eu amzn.to bigcartel.com bigcommerce.com depop.com ecwid.com etsy.com
    flipkart.com gumroad.com kleinanzeigen.de lemonsqueezy.com lojavirtualnuvem.com.br mercadolivre.com.br mitiendanube.com
    mybigcommerce.com myshopify.com myshoplaza.com payhip.com redbubble.com sellfy.store shopify.com shopware.store storenvy.com
    taobao.com teespring.com tiendanube.com tmall.com willhaben.at zazzle.com
  `),
  // maps, app stores, directories, reviews
  ...splitDomains(`
    11880.com angel.co apps.apple.com apps.microsoft.com bing.com books.apple.com clutch.co dasoertliche.de foursquare.com g.co g.page
    g2.com gelbeseiten.de golocal.de here.com herold.at itunes.apple.com kununu.com local.ch mapquest.com maps.apple.com
    music.apple.com northdata.de openstreetmap.org pagesjaunes.fr paginegialle.it podcasts.apple.com producthunt.com provenexpert.com
    search.ch waze.com wellfound.com wikidata.org wikipedia.org wlw.de yell.com yellowpages.com
  `),
])

/** Names of shared hosts that have a domain in each country. */
const sharedBrands = new Set(
  splitDomains(`
    airbnb amazon blogspot booking capterra craigslist crunchbase cylex deliveroo doctolib doordash ebay eventbrite europages foodpanda
    fresha glassdoor google gumtree houzz indeed kompass lazada lieferando meetup mercadolibre mercadoshops opentable pinterest
    pitchbook rakuten shopee stepstone treatwell tripadvisor trustpilot ubereats vinted webador webnode yelp zillow
  `),
)

/** Whether anyone can have a mailbox at this domain, so that it does not identify an employer. */
export function isMailProvider(domain: string): boolean {
  return suffixesOf(domain).some((host) => mailDomains.has(host) || mailBrands.test(host))
}

/** The host of a web address; unless it is shared, it is the domain of one company. */
export interface CompanyAddress {
  host: string
  isShared: boolean
}

/**
 * Parses the domain of a company from a domain or a web address. A page on a shared host is not a domain; the host itself is the
 * domain of the company named like it.
 * @returns undefined if the text is neither a domain nor a web address
 */
export function parseCompanyAddress(
  text: string,
  name: string | undefined,
): CompanyAddress | undefined {
  const host = parseDomain(text)
  if (host === undefined) return undefined
  const isShared = isMailProvider(host) || (isSharedHost(host) && !isOwnDomain(name, host, text))
  return { host, isShared }
}

/** The domain by which a company is looked up; undefined for a mail provider, or a page on a shared host. */
export function domainForLookup(text: string): string | undefined {
  const domain = parseDomain(text)
  const isShared =
    domain !== undefined && (isMailProvider(domain) || (isSharedHost(domain) && hasPath(text)))
  return isShared ? undefined : domain
}

function hasPath(address: string): boolean {
  return address.trim().replace(/^[a-z]+:\/\/[^/?#]*|^[^/?#]*/i, '').length > 1
}

function isSharedHost(domain: string): boolean {
  return (
    suffixesOf(domain).some((host) => sharedHosts.has(host)) ||
    sharedBrands.has(brandOf(domain).brand)
  )
}

function isOwnDomain(name: string | undefined, domain: string, address: string): boolean {
  const { brand, isSubdomain } = brandOf(domain)
  if (name === undefined || isSubdomain || hasPath(address)) return false
  const words = nameKey(name).match(/[\p{L}\p{N}]+/gu) ?? []
  return words.some((_, i) => words.slice(0, i + 1).join('') === brand)
}

function suffixesOf(domain: string): string[] {
  const labels = domain.split('.')
  return labels.map((_, i) => labels.slice(i).join('.'))
}

/** The label before the top-level domain: `amazon` in `amazon.co.uk`. */
function brandOf(domain: string): { brand: string; isSubdomain: boolean } {
  const labels = domain.split('.')
  const suffixLength = /\.(com?|net|org)\.[a-z]{2}$/.test(domain) ? 2 : 1
  return {
    brand: labels.at(-1 - suffixLength) ?? '',
    isSubdomain: labels.length > suffixLength + 1,
  }
}
