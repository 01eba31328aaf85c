import fc from 'fast-check';

/** Made of words of ten languages, and of what word processors put between them. */
const languages = {
	Danish: 'Hej, din tid er i morgen kl. 14 – vi glæder os på gensyn',
	English: 'Hello, your order is on its way and it will be there soon',
	French: 'Bonjour, votre cœur à vœux est prêt où ça déjà reçu l’été',
	German: 'Guten Tag, Ihr Paket ist unterwegs, schöne Grüße aus Köln',
	Italian: 'Buongiorno, il tuo ordine è già arrivato perché più città',
	Polish: 'Dzień dobry, Twoje zamówienie już jest gotowe źdźbło łąka',
	Portuguese: 'Olá, sua reunião é amanhã às nove, não esqueça os exames',
	Russian: 'Здравствуйте, ваш заказ уже в пути, спасибо вам большое',
	Spanish: '¿Qué tal? Su cita será mañana, ¡no lo olvide! pingüino',
	Turkish: 'Merhaba, siparişiniz yola çıktı, teşekkür ederiz ığdır',
};
const typographic = Array.from(
	'‘’“”„«»–—−…•·\u00a0\u2009\u202f\u00ad\u200b\ufeff\u2028\t™©®°ºª½²×→œŒ',
);
const emoji = ['😀', '👍🏽', '👨\u200d👩\u200d👧', '❤\ufe0f', '🇧🇷', '1\ufe0f\u20e3'];
const words = fc
	.constantFrom(...Object.values(languages))
	.chain((text) =>
		fc.array(
			fc.oneof(
				{ weight: 12, arbitrary: fc.constantFrom(...text.split(' ')) },
				{ weight: 3, arbitrary: fc.constantFrom(...typographic) },
				{ weight: 1, arbitrary: fc.constantFrom('€', '[x]', '\n', 'e\u0301', '12') },
			),
			{ maxLength: 60, size: 'max' },
		),
	);
export const texts = fc
	.tuple(
		words,
		fc.option(fc.constantFrom(...emoji), { freq: 5, nil: '' }),
		fc.constantFrom(' ', ''),
	)
	.map(([parts, face, space]) => [...parts, face].join(space));
