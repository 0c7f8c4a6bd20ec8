/** A name in Chinese with its Latin spelling, which logins are made of. */
type Pair = readonly [chinese: string, latin: string];

function pairs(text: string): readonly Pair[] {
  return list(text).map((name): Pair => {
    const [chinese = '', latin = ''] = name.split(' ');
    return [chinese, latin];
  });
}

function list(text: string): readonly string[] {
  return text.split(',').map((name) => name.trim());
}

export const CHINESE = {
  surnames: pairs(
    `王 Wang, 李 Li, 张 Zhang, 刘 Liu, 陈 Chen, 杨 Yang, 黄 Huang, 赵 Zhao, 吴 Wu, 周 Zhou,
     徐 Xu, 孙 Sun, 马 Ma, 朱 Zhu, 胡 Hu, 郭 Guo, 何 He, 林 Lin, 欧阳 Ouyang, 司马 Sima`,
  ),
  given: pairs(
    `伟 Wei, 芳 Fang, 娜 Na, 秀英 Xiuying, 敏 Min, 静 Jing, 丽 Li, 强 Qiang, 磊 Lei, 洋 Yang, 艳 Yan, 勇 Yong,
     杰 Jie, 涛 Tao, 明 Ming, 超 Chao, 霞 Xia, 平 Ping, 刚 Gang, 桂英 Guiying, 晨曦 Chenxi, 雨桐 Yutong, 子轩 Zixuan`,
  ),
};

export const LATIN = {
  given: list(
    `Anna, Jürgen, Zoë, José, Ingrid, Lukas, Chloé, Marek, Sofia, Håkan,
     Emily, Tomás, Greta, Piotr, Maeve, Jonas, Élodie, Mateo, Freya, Samuel`,
  ),
  family: list(
    `Müller, Schneider, Öberg, García, O'Brien, Nováková, Lindqvist, Weber, Rossi, de Vries, Kowalski,
     Dubois, Hansen, Ferreira, Becker, Virtanen, Smith, Åkesson, Moreau, Kühn, Petrov`,
  ),
};
