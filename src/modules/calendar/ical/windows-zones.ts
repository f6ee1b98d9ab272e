import { findIana } from 'windows-iana'

// Display names of Windows time zones. Outlook and Exchange write these texts as TZID, often without the zone's rules.

/** Names of Windows zones with their English display texts; texts of older versions follow a bar. */
const displayNames = `
Dateline Standard Time: International Date Line West | Eniwetok, Kwajalein
UTC-11: Coordinated Universal Time-11
Samoa Standard Time: Samoa | Midway Island, Samoa
Aleutian Standard Time: Aleutian Islands
Hawaiian Standard Time: Hawaii
Marquesas Standard Time: Marquesas Islands
Alaskan Standard Time: Alaska
Pacific Standard Time (Mexico): Baja California | Tijuana, Baja California
Pacific Standard Time: Pacific Time (US & Canada) | Pacific Time (US & Canada), Tijuana | Pacific Time (US and Canada)
US Mountain Standard Time: Arizona
Mountain Standard Time (Mexico): Chihuahua, La Paz, Mazatlan | La Paz, Mazatlan
Mountain Standard Time: Mountain Time (US & Canada) | Mountain Time (US and Canada)
Central America Standard Time: Central America
Central Standard Time: Central Time (US & Canada) | Central Time (US and Canada)
Easter Island Standard Time: Easter Island
Central Standard Time (Mexico): Guadalajara, Mexico City, Monterrey | Mexico City, Tegucigalpa
Canada Central Standard Time: Saskatchewan
SA Pacific Standard Time: Bogota, Lima, Quito, Rio Branco | Bogota, Lima, Quito
Eastern Standard Time (Mexico): Chetumal
Eastern Standard Time: Eastern Time (US & Canada) | Eastern Time (US and Canada)
Haiti Standard Time: Haiti
Cuba Standard Time: Havana
US Eastern Standard Time: Indiana (East)
Turks And Caicos Standard Time: Turks and Caicos
Paraguay Standard Time: Asuncion
Atlantic Standard Time: Atlantic Time (Canada)
Venezuela Standard Time: Caracas | Caracas, La Paz
Central Brazilian Standard Time: Cuiaba | Manaus
SA Western Standard Time: Georgetown, La Paz, Manaus, San Juan
Pacific SA Standard Time: Santiago
Newfoundland Standard Time: Newfoundland
Tocantins Standard Time: Araguaina
E. South America Standard Time: Brasilia
SA Eastern Standard Time: Cayenne, Fortaleza | Georgetown
Argentina Standard Time: City of Buenos Aires | Buenos Aires
Greenland Standard Time: Greenland
Montevideo Standard Time: Montevideo
Magallanes Standard Time: Punta Arenas
Saint Pierre Standard Time: Saint Pierre and Miquelon
Bahia Standard Time: Salvador
UTC-02: Coordinated Universal Time-02 | Mid-Atlantic
Azores Standard Time: Azores
Cape Verde Standard Time: Cabo Verde Is. | Cape Verde Is.
UTC: Coordinated Universal Time | Universal Time
GMT Standard Time: Dublin, Edinburgh, Lisbon, London | Greenwich Mean Time : Dublin, Edinburgh, Lisbon, London | Greenwich Mean Time: Dublin, Edinburgh, Lisbon, London
Greenwich Standard Time: Monrovia, Reykjavik | Casablanca, Monrovia
Sao Tome Standard Time: Sao Tome
Morocco Standard Time: Casablanca
W. Europe Standard Time: Amsterdam, Berlin, Bern, Rome, Stockholm, Vienna
Central Europe Standard Time: Belgrade, Bratislava, Budapest, Ljubljana, Prague
Romance Standard Time: Brussels, Copenhagen, Madrid, Paris
Central European Standard Time: Sarajevo, Skopje, Warsaw, Zagreb | Sarajevo, Skopje, Sofija, Vilnius, Warsaw, Zagreb
W. Central Africa Standard Time: West Central Africa
GTB Standard Time: Athens, Bucharest | Athens, Istanbul, Minsk | Athens, Bucharest, Istanbul
Middle East Standard Time: Beirut
Egypt Standard Time: Cairo
E. Europe Standard Time: Chisinau | Bucharest | Minsk
Syria Standard Time: Damascus
West Bank Standard Time: Gaza, Hebron
South Africa Standard Time: Harare, Pretoria
FLE Standard Time: Helsinki, Kyiv, Riga, Sofia, Tallinn, Vilnius | Helsinki, Riga, Tallinn
Israel Standard Time: Jerusalem | Israel
South Sudan Standard Time: Juba
Kaliningrad Standard Time: Kaliningrad
Sudan Standard Time: Khartoum
Libya Standard Time: Tripoli
Namibia Standard Time: Windhoek
Jordan Standard Time: Amman
Arabic Standard Time: Baghdad
Turkey Standard Time: Istanbul
Arab Standard Time: Kuwait, Riyadh
Belarus Standard Time: Minsk
Russian Standard Time: Moscow, St. Petersburg | Moscow, St. Petersburg, Volgograd
E. Africa Standard Time: Nairobi
Volgograd Standard Time: Volgograd
Iran Standard Time: Tehran
Arabian Standard Time: Abu Dhabi, Muscat
Astrakhan Standard Time: Astrakhan, Ulyanovsk
Azerbaijan Standard Time: Baku | Baku, Tbilisi, Yerevan
Russia Time Zone 3: Izhevsk, Samara
Mauritius Standard Time: Port Louis
Saratov Standard Time: Saratov
Georgian Standard Time: Tbilisi
Caucasus Standard Time: Yerevan
Afghanistan Standard Time: Kabul
West Asia Standard Time: Ashgabat, Tashkent | Tashkent
Ekaterinburg Standard Time: Ekaterinburg
Pakistan Standard Time: Islamabad, Karachi | Islamabad, Karachi, Tashkent
Qyzylorda Standard Time: Qyzylorda
India Standard Time: Chennai, Kolkata, Mumbai, New Delhi | Kolkata, Chennai, Mumbai, New Delhi | Calcutta, Chennai, Mumbai, New Delhi | Bombay, Calcutta, Madras, New Delhi
Sri Lanka Standard Time: Sri Jayawardenepura | Colombo
Nepal Standard Time: Kathmandu
Central Asia Standard Time: Astana | Astana, Dhaka | Almaty
Bangladesh Standard Time: Dhaka
Omsk Standard Time: Omsk
Myanmar Standard Time: Yangon (Rangoon) | Rangoon
SE Asia Standard Time: Bangkok, Hanoi, Jakarta
Altai Standard Time: Barnaul, Gorno-Altaysk
W. Mongolia Standard Time: Hovd
North Asia Standard Time: Krasnoyarsk
N. Central Asia Standard Time: Novosibirsk | Almaty, Novosibirsk
Tomsk Standard Time: Tomsk
China Standard Time: Beijing, Chongqing, Hong Kong, Urumqi | Beijing, Chongqing, Hong Kong SAR, Urumqi
North Asia East Standard Time: Irkutsk | Irkutsk, Ulaan Bataar
Singapore Standard Time: Kuala Lumpur, Singapore | Singapore
W. Australia Standard Time: Perth
Taipei Standard Time: Taipei
Ulaanbaatar Standard Time: Ulaanbaatar
North Korea Standard Time: Pyongyang
Aus Central W. Standard Time: Eucla
Transbaikal Standard Time: Chita
Tokyo Standard Time: Osaka, Sapporo, Tokyo
Korea Standard Time: Seoul
Yakutsk Standard Time: Yakutsk
Cen. Australia Standard Time: Adelaide
AUS Central Standard Time: Darwin
E. Australia Standard Time: Brisbane
AUS Eastern Standard Time: Canberra, Melbourne, Sydney
West Pacific Standard Time: Guam, Port Moresby
Tasmania Standard Time: Hobart
Vladivostok Standard Time: Vladivostok
Lord Howe Standard Time: Lord Howe Island
Bougainville Standard Time: Bougainville Island
Russia Time Zone 10: Chokurdakh
Magadan Standard Time: Magadan | Magadan, Solomon Is., New Caledonia
Norfolk Standard Time: Norfolk Island
Sakhalin Standard Time: Sakhalin
Central Pacific Standard Time: Solomon Is., New Caledonia
Russia Time Zone 11: Anadyr, Petropavlovsk-Kamchatsky
New Zealand Standard Time: Auckland, Wellington
UTC+12: Coordinated Universal Time+12
Fiji Standard Time: Fiji | Fiji Islands, Kamchatka, Marshall Is. | Fiji, Kamchatka, Marshall Is.
Chatham Islands Standard Time: Chatham Islands
UTC+13: Coordinated Universal Time+13
Tonga Standard Time: Nuku'alofa
Line Islands Standard Time: Kiritimati Island`

let zones: Map<string, string> | undefined

function zonesByDisplayName(): Map<string, string> {
  const zoneByText = new Map<string, string>()
  for (const line of displayNames.trim().split('\n')) {
    const [windows, texts] = [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1)]
    const iana = findIana(windows)[0]
    if (iana !== undefined)
      for (const part of texts.split('|')) zoneByText.set(foldZoneName(part), iana)
  }
  return zoneByText
}

/** Lower case, without the leading offset, with commas in place of `/`. */
function foldZoneName(text: string): string {
  return text
    .replace(/^\s*\((?:GMT|UTC)[^)]*\)/i, '')
    .toLowerCase()
    .replaceAll(/\s*[,/]\s*/g, ', ')
    .replaceAll(/\s+/g, ' ')
    .trim()
}

/** The IANA zone for a Windows display text, such as `(UTC+08:00) Kuala Lumpur, Singapore`. */
export function zoneOfDisplayName(text: string): string | undefined {
  if (text.length > 200) return undefined
  zones ??= zonesByDisplayName()
  return zones.get(foldZoneName(text))
}
